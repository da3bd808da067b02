import {
  type Block,
  type Doc,
  type Inline,
  itemMark,
  type List,
  mentionedUser,
  plain,
  RULE,
  showsTarget,
  tableLines,
} from '../../../src/format/index.ts';
import { harmless } from './markdown.ts';
import { mentionOf } from './mention.ts';

/**
 * A document in Slack's own form: what notifications, search and screen readers use of a message, and what shows it
 * where Markdown blocks are not known. https://docs.slack.dev/messaging/formatting-message-text
 */
export const renderMrkdwn = (document: Doc): string => blocks(document.children, '\n\n', 0);

/** Escaped text without any formatting, for the message whose formatting was refused. */
export const renderPlain = (document: Doc): string => escaped(plain(document));

function blocks(nodes: readonly Block[], gap: string, depth: number): string {
  return nodes.map((node) => block(node, depth)).join(gap);
}

function block(node: Block, depth: number): string {
  switch (node.type) {
    case 'paragraph':
      return inlines(node.children);
    case 'heading':
      return styled('*', node.children);
    case 'blockquote':
      return prefixed(blocks(node.children, '\n\n', depth), '> ', '> ');
    case 'list':
      return list(node, depth);
    case 'code':
      return fenced(node.value);
    case 'table':
      return fenced(tableLines(node, cellText).join('\n'));
    case 'thematicBreak':
      return RULE;
    default:
      return node satisfies never;
  }
}

function list(node: List, depth: number): string {
  return node.children
    .map((item, index) => {
      const mark = itemMark(node, item, index, depth);
      return prefixed(blocks(item.children, item.spread ? '\n\n' : '\n', depth + 1), mark, '    ');
    })
    .join(node.spread ? '\n\n' : '\n');
}

const fenced = (value: string): string => `\`\`\`\n${escaped(value).replaceAll('```', '`\u2060``')}\n\`\`\``;

const cellText = (cell: readonly Inline[]): string =>
  plain({ type: 'root', children: [{ type: 'paragraph', children: [...cell] }] });

const inlines = (nodes: readonly Inline[]): string => nodes.map(inline).join('');

function inline(node: Inline): string {
  switch (node.type) {
    case 'text':
      return escaped(node.value);
    case 'strong':
      return styled('*', node.children);
    case 'emphasis':
      return styled('_', node.children);
    case 'delete':
      return styled('~', node.children);
    case 'inlineCode':
      return node.value.includes('`') ? escaped(node.value) : `\`${escaped(node.value)}\``;
    case 'break':
      return '\n';
    case 'link':
      return link(node.url, plainOf(node.children));
    case 'image':
      return link(node.url, node.alt);
    default:
      return node satisfies never;
  }
}

/** Marks count only around text that neither begins nor ends with a space, and never around another of their kind. */
function styled(mark: string, nodes: readonly Inline[]): string {
  const text = inlines(nodes);
  return text.trim() === '' || text.includes(mark) || text.includes('\n') ? text : `${mark}${text.trim()}${mark}`;
}

const LINKED = /^(?:https?:\/\/|mailto:)/i;

function link(url: string, label: string): string {
  const mention = mentionOf(mentionedUser(url));
  if (mention !== undefined) return mention;
  const target = escaped(url).replaceAll('|', '%7C');
  if (!LINKED.test(url)) return escaped(label === '' ? url : label);
  if (label.trim() === '' || showsTarget(label, url)) return `<${target}>`;
  return `<${target}|${escaped(label).replaceAll('|', '¦').replaceAll('\n', ' ')}>`;
}

const plainOf = (nodes: readonly Inline[]): string =>
  nodes.map((node) => ('children' in node ? plainOf(node.children) : 'value' in node ? node.value : '')).join('');

/** Only these three have a meaning in text; nothing that it says can then be a mention. */
export const escaped = (text: string): string =>
  harmless(text.toWellFormed()).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function prefixed(value: string, first: string, others: string): string {
  return value
    .split('\n')
    .map((line, index) => ((index === 0 ? first : others) + line).trimEnd())
    .join('\n');
}
