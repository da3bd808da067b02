import { escapeHtml } from '../../../src/base/html.ts';
import type { Block, Inline, List, ListItem, Table } from '../../../src/format/nodes.ts';
import { parse } from '../../../src/format/parse.ts';
import { anchor } from './anchor.ts';

/**
 * Markdown as HTML for the page. Every text is escaped and every tag is written here, so nothing that a model or a
 * web page says can become markup: raw HTML shows as the text it is, and links lead to http, https and mailto only.
 */
export function renderHtml(markdown: string): string {
  return blocks(parse(markdown).children);
}

/** Text exactly as it was typed; the page keeps its line breaks. */
export function renderPlain(text: string): string {
  return `<p class="plain">${escapeHtml(text)}</p>`;
}

const blocks = (nodes: readonly Block[]): string => nodes.map(block).join('');
const inlines = (nodes: readonly Inline[]): string => nodes.map(inline).join('');

function block(node: Block): string {
  switch (node.type) {
    case 'paragraph':
      return `<p>${inlines(node.children)}</p>`;
    case 'heading': {
      // The page's own outline owns h1 and h2.
      const level = Math.min(node.depth + 2, 6);
      return `<h${level}>${inlines(node.children)}</h${level}>`;
    }
    case 'blockquote':
      return `<blockquote>${blocks(node.children)}</blockquote>`;
    case 'list':
      return list(node);
    case 'code': {
      const language = node.lang === null ? '' : ` data-language="${escapeHtml(node.lang.slice(0, 32))}"`;
      return `<pre${language} tabindex="0"><code>${escapeHtml(node.value)}</code></pre>`;
    }
    case 'table':
      return table(node);
    case 'thematicBreak':
      return '<hr>';
    default:
      node satisfies never;
      return '';
  }
}

function inline(node: Inline): string {
  switch (node.type) {
    case 'text':
      return escapeHtml(node.value);
    case 'inlineCode':
      return `<code>${escapeHtml(node.value)}</code>`;
    case 'break':
      return '<br>';
    case 'strong':
      return `<strong>${inlines(node.children)}</strong>`;
    case 'emphasis':
      return `<em>${inlines(node.children)}</em>`;
    case 'delete':
      return `<del>${inlines(node.children)}</del>`;
    case 'link':
      return anchor(node.url, inlines(node.children) || escapeHtml(node.url));
    case 'image':
      // A picture from elsewhere would tell its server who reads; so it is a link that one may follow.
      return anchor(node.url, `🖼 ${escapeHtml(node.alt || node.url)}`);
    default:
      node satisfies never;
      return '';
  }
}

function list(node: List): string {
  const tag = node.ordered ? 'ol' : 'ul';
  const start = node.ordered && node.start !== 1 ? ` start="${node.start}"` : '';
  const loose = node.spread || node.children.some((item) => item.spread);
  return `<${tag}${start}>${node.children.map((item) => listItem(item, loose)).join('')}</${tag}>`;
}

const boxes = { true: '☑ ', false: '☐ ', null: '' } as const;

/** The items of a tight list hold their text without paragraphs around it. */
function listItem(item: ListItem, loose: boolean): string {
  const body = item.children.map((child) =>
    child.type === 'paragraph' && !loose ? inlines(child.children) : block(child),
  );
  return `<li>${boxes[`${item.checked}`]}${body.join('')}</li>`;
}

/** Wide tables scroll inside their own box, which the keyboard can reach. */
function table(node: Table): string {
  const [head, ...rows] = node.children.map((row, index) => {
    const tag = index === 0 ? 'th' : 'td';
    const cells = row.children.map((cell, column) => {
      const side = node.align[column];
      const align = side === 'center' || side === 'right' ? ` class="${side}"` : '';
      return `<${tag}${align}>${inlines(cell.children)}</${tag}>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  const body = `<thead>${head ?? ''}</thead><tbody>${rows.join('')}</tbody>`;
  return `<div class="table" tabindex="0"><table>${body}</table></div>`;
}
