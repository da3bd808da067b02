import {
  type Block,
  type Doc,
  type Inline,
  itemMark,
  mentionedUser,
  plain,
  tableLines,
} from '../../../src/format/index.ts';
import { mentionedId } from './mention.ts';
import { plainLabel } from './render-card.ts';

/** https://open.feishu.cn/document/server-docs/im-v1/message-content-description/create_json */
export interface PostElement {
  readonly tag: 'text' | 'a' | 'at' | 'code_block' | 'hr';
  readonly user_id?: string;
  readonly text?: string;
  readonly href?: string;
  readonly language?: string;
  readonly style?: readonly Style[];
}
type Style = 'bold' | 'italic' | 'lineThrough';
type Row = PostElement[];

/** A document as the rows of a rich text. What rich texts do not have reads as it would without formatting. */
export const renderPost = (document: Doc): readonly (readonly PostElement[])[] =>
  document.children.flatMap((node, index) => [
    ...(index > 0 && node.type === 'paragraph' ? [[said('')]] : []),
    ...block(node),
  ]);

function block(node: Block): Row[] {
  switch (node.type) {
    case 'paragraph':
      return rows(node.children, []);
    case 'heading':
      return rows(node.children, ['bold']);
    case 'blockquote':
      return node.children.flatMap(block).map((row) => [said('> '), ...row]);
    case 'list':
      return node.children.flatMap((item, index) => {
        const mark = itemMark(node, item, index);
        return item.children
          .flatMap(block)
          .map((row, line) => [said(line === 0 ? mark : ' '.repeat(mark.length)), ...row]);
      });
    case 'code':
      return [[codeBlock(node.value, node.lang ?? '')]];
    case 'table':
      return [[codeBlock(tableLines(node, cellText).join('\n'))]];
    case 'thematicBreak':
      return [[{ tag: 'hr' }]];
    default:
      return node satisfies never;
  }
}

/** The languages that rich texts know, by the names that models use. Any other name is refused. */
const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ...['bash', 'c', 'css', 'dart', 'go', 'html', 'java', 'javascript', 'json', 'kotlin', 'php', 'python', 'ruby'].map(
    named,
  ),
  ...['rust', 'scala', 'shell', 'sql', 'swift', 'typescript', 'xml', 'yaml'].map(named),
  ['c++', 'CPP'],
  ['cpp', 'CPP'],
  ['golang', 'GO'],
  ['js', 'JAVASCRIPT'],
  ['py', 'PYTHON'],
  ['rb', 'RUBY'],
  ['rs', 'RUST'],
  ['sh', 'SHELL'],
  ['ts', 'TYPESCRIPT'],
  ['yml', 'YAML'],
]);

function named(language: string): [string, string] {
  return [language, language.toUpperCase()];
}

function codeBlock(text: string, name = ''): PostElement {
  const language = LANGUAGES.get(name.toLowerCase());
  return { tag: 'code_block', ...(language === undefined ? {} : { language }), text: text.toWellFormed() };
}

const said = (text: string, style: readonly Style[] = []): PostElement => ({
  tag: 'text',
  text,
  ...(style.length === 0 ? {} : { style }),
});

const cellText = (children: readonly Inline[]): string =>
  plain({ type: 'root', children: [{ type: 'paragraph', children: [...children] }] });

/** Every line is a row of its own. */
function rows(nodes: readonly Inline[], style: readonly Style[]): Row[] {
  const result: Row[] = [[]];
  for (const element of nodes.flatMap((node) => inline(node, style))) {
    if (element.text === undefined) {
      result.at(-1)?.push(element);
      continue;
    }
    const [first = '', ...more] = element.text.split('\n');
    result.at(-1)?.push({ ...element, text: first });
    for (const line of more) result.push([{ ...element, text: line }]);
  }
  return result;
}

/** Bold words in a heading, which is bold already, are bold once. */
const also = (more: Style, style: readonly Style[]): readonly Style[] =>
  style.includes(more) ? style : [...style, more];

function inline(node: Inline, style: readonly Style[]): PostElement[] {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return [said(node.value.toWellFormed(), style)];
    case 'strong':
      return node.children.flatMap((child) => inline(child, also('bold', style)));
    case 'emphasis':
      return node.children.flatMap((child) => inline(child, also('italic', style)));
    case 'delete':
      return node.children.flatMap((child) => inline(child, also('lineThrough', style)));
    case 'break':
      return [said('\n')];
    case 'link':
      return [link(node.url, plainLabel(node.children), style)];
    case 'image':
      return [link(node.url, node.alt, style)];
    default:
      return node satisfies never;
  }
}

/** One link of another scheme makes the platform refuse the whole message. */
function link(url: string, label: string, style: readonly Style[]): PostElement {
  const person = mentionedId(url);
  if (person !== null) return { tag: 'at', user_id: person };
  const text = (label.trim() === '' ? (mentionedUser(url) ?? url) : label).toWellFormed().replaceAll('\n', ' ');
  return /^https?:\/\//i.test(url) ? { tag: 'a', href: url.toWellFormed(), text } : said(text, style);
}
