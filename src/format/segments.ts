/** HTML that runs across blank lines until its end tag. A comment that ends where it began reaches nowhere. */
const FAR_HTML = /^ {0,3}<(?:script|pre|style|textarea|\?|!(?!--[^>]+-->))/i;
/** HTML of other kinds runs until a blank line, whatever stands in it. */
const HTML = /^ {0,3}</;
const FENCE = /^([ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})([^\n]*)/;
/** How a line behind a blank one may begin that still belongs to the block before it, if that may hold blank lines. */
const CONTINUES = /^(?:\s|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|>)/;
/** What may: a list item, a quote, a footnote, indented code. */
const HOLDS_BLANKS = /^(?:[ \t]|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|>|\[\^)/;

interface Fence {
  /** What the fence's other lines begin with. */
  readonly indent: string;
  readonly ticks: string;
}

/**
 * Takes Markdown apart between top-level blocks, where nothing but references to definitions can reach across: at
 * blank lines and around fences. Joined together the segments' blocks are the text's. Of a text that grows, all
 * segments but the last stay the same.
 */
export function segmentsOf(markdown: string): string[] {
  const segments: string[] = [];
  let start = 0;
  let fence: Fence | undefined;
  let afterBlank = false;
  let afterFence = false;
  let inHtml = false;
  let holdsBlanks = false;
  const cut = (at: number): void => {
    if (at > start) segments.push(markdown.slice(start, at));
    start = at;
    holdsBlanks = false;
  };
  for (const match of markdown.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g)) {
    const line = match[1] ?? '';
    const isBlank = /^[ \t]*$/.test(line);
    if (fence !== undefined) {
      const place = placeIn(fence, line, isBlank);
      if (place === 'unclear') break;
      if (place === 'inside') continue;
      afterFence = fence.indent === '';
      fence = undefined;
      afterBlank = false;
      continue;
    }
    if (!isBlank && (afterFence || (afterBlank && !(holdsBlanks && CONTINUES.test(line))))) cut(match.index);
    if (!isBlank) afterFence = false;
    holdsBlanks ||= !isBlank && HOLDS_BLANKS.test(line);
    inHtml = !isBlank && (inHtml || HTML.test(line));
    if (FAR_HTML.test(line)) break;
    fence = openedBy(line);
    if (fence !== undefined && inHtml) break;
    if (fence?.indent === '') cut(match.index);
    afterBlank = isBlank;
  }
  cut(markdown.length);
  return segments.length === 0 ? [markdown] : segments;
}

function openedBy(line: string): Fence | undefined {
  const [, before = '', ticks, info = ''] = FENCE.exec(line) ?? [];
  if (ticks === undefined || (ticks.startsWith('`') && info.includes('`'))) return undefined;
  return { indent: before.replace(/\S/g, ' '), ticks };
}

/**
 * An indented fence may belong to a list item, stand alone or be indented code; while its lines are indented as far and
 * the last of them just so, that makes no difference. Else only a parser can tell where it ends.
 */
function placeIn({ indent, ticks }: Fence, line: string, isBlank: boolean): 'inside' | 'last' | 'unclear' {
  if (isBlank) return 'inside';
  if (!line.startsWith(indent)) return 'unclear';
  const [, more = '', run, info = ''] = /^([ \t]*)(`{3,}|~{3,})(.*)$/.exec(line.slice(indent.length)) ?? [];
  if (run?.startsWith(ticks) !== true || info.trim() !== '' || more.length > 3 || more.includes('\t')) return 'inside';
  return indent === '' || more === '' ? 'last' : 'unclear';
}
