import Turndown from 'turndown';

/** What is no text of a page. */
const UNREAD = [
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'canvas',
  'iframe',
  'object',
  'embed',
  'link',
  'meta',
  'title',
];
const MAX_SPAN = 50;

const service = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---' });
// Escapes are for renderers; to a model they are noise in every name_with_underscores.
service.escape = (text) => text;
service.remove((node) => UNREAD.includes(node.nodeName.toLowerCase()));

service.addRule('image', {
  filter: 'img',
  replacement: (_content, node) => {
    const alt = attribute(node, 'alt').trim();
    const src = attribute(node, 'src').replace(/^data:.*/s, '');
    return alt === '' ? '' : src === '' ? `[image: ${alt}]` : `![${alt}](${src})`;
  },
});

service.addRule('link', {
  filter: 'a',
  replacement: (content, node) => {
    const text = content.replace(/\s*\n\s*/g, ' ').trim();
    const href = attribute(node, 'href');
    return text === '' ? '' : href === '' ? text : `[${text}](${href})`;
  },
});

service.addRule('item', {
  filter: 'li',
  replacement: (content, node) => {
    const mark = node.parentNode?.nodeName === 'OL' ? `${numberOf(node, node.parentNode)}. ` : '- ';
    const body = content
      .trim()
      .replace(/\n{2,}/g, '\n')
      .replaceAll('\n', `\n${' '.repeat(mark.length)}`);
    return `${mark}${body}\n`;
  },
});

service.addRule('cell', {
  filter: ['td', 'th'],
  replacement: (content, node) => {
    if (isLayout(node)) return `${content}\n`;
    const text = content
      .trim()
      .replace(/\s*\n\s*/g, ' ')
      .replaceAll('|', '\\|');
    return `| ${text} ${'| '.repeat(span(node) - 1)}`;
  },
});

service.addRule('row', {
  filter: 'tr',
  replacement: (content, node) => {
    if (isLayout(node)) return content;
    const table = tableOf(node);
    const isFirst = table?.querySelector('tr') === node;
    const cells = [...node.childNodes].filter(({ nodeName }) => /^T[DH]$/.test(nodeName));
    const width = cells.reduce((sum, cell) => sum + span(cell), 0);
    return `${content.trim()} |\n${isFirst ? `|${' --- |'.repeat(width)}\n` : ''}`;
  },
});

service.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
service.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` });

/** Turndown hands out nodes of whatever DOM it was given; only these parts are used. */
const attribute = (node: Node, name: string): string =>
  'getAttribute' in node && typeof node.getAttribute === 'function' ? String(node.getAttribute(name) ?? '') : '';

const span = (cell: Node): number =>
  Math.min(MAX_SPAN, Math.max(1, Math.trunc(Number(attribute(cell, 'colspan'))) || 1));

function tableOf(node: Node): Element | null {
  return 'closest' in node && typeof node.closest === 'function' ? node.closest('table') : null;
}

const numbers = new WeakMap<Node, ReadonlyMap<Node, number>>();

/** Counted once a list, however long it is. */
function numberOf(item: Node, list: Node): number {
  let known = numbers.get(list);
  if (known === undefined) {
    const start = Number(attribute(list, 'start') || 1);
    const items = [...list.childNodes].filter(({ nodeName }) => nodeName === 'LI');
    known = new Map(items.map((one, index) => [one, start + index]));
    numbers.set(list, known);
  }
  return known.get(item) ?? 1;
}

const layouts = new WeakMap<Element, boolean>();

/** Tables that only arrange a page hold others, or have one column. */
function isLayout(node: Node): boolean {
  const table = tableOf(node);
  if (table === null) return true;
  const known = layouts.get(table);
  if (known !== undefined) return known;
  const isOne =
    table.querySelector('table') !== null ||
    ![...table.querySelectorAll('tr')].some((row) => [...row.children].length > 1);
  layouts.set(table, isOne);
  return isOne;
}

/** The Markdown of an element and all below it. */
export function elementToMarkdown(element: HTMLElement): string {
  return service
    .turndown(element)
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
