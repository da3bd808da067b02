/** Definitions are known in the whole text, and some HTML runs across blank lines: such a text is not taken apart. */
const REACHES_FAR = /^ {0,3}(?:\[[^\]\n]+\]:|<(?:script|pre|style|textarea|!|\?))/im;
const FENCE = /^( {0,3})(`{3,}|~{3,})([^\n]*)/;
/** How a line behind a blank one may begin that still belongs to the list, quote or table before it. */
const CONTINUES = /^(?:\s|$|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|[>|<[])/;

/**
 * Takes Markdown apart between top-level blocks, at blank lines where nothing can reach across, so that joined together
 * the segments' blocks are the text's. Of a text that grows, all segments but the last stay the same.
 */
export function segmentsOf(markdown: string): string[] {
  if (REACHES_FAR.test(markdown)) return [markdown];
  const segments: string[] = [];
  let start = 0;
  let fence: string | undefined;
  let afterBlank = false;
  for (const match of markdown.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g)) {
    const line = match[1] ?? '';
    const [, indent = '', ticks, info = ''] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      if (ticks?.startsWith(fence) && info.trim() === '') fence = undefined;
      afterBlank = false;
      continue;
    }
    // An indented fence may belong to a list item or stand alone; from here on only a parser can tell.
    if (ticks !== undefined && indent !== '') break;
    if (afterBlank && match.index > start && !CONTINUES.test(line)) {
      segments.push(markdown.slice(start, match.index));
      start = match.index;
    }
    if (ticks !== undefined && !(ticks.startsWith('`') && info.includes('`'))) fence = ticks;
    afterBlank = /^[ \t]*$/.test(line);
  }
  segments.push(markdown.slice(start));
  return segments;
}
