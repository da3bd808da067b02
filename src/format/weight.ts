/**
 * What a piece of Markdown costs to read, in microseconds of CPU, told in one pass over it. micromark is fast for
 * what people write and slow, up to the square of the length, for what nobody writes on purpose: delimiters that find
 * no partner, brackets within brackets, quotes that go on lazily, tables of thousands of cells; some of it exhausts
 * the stack. The factors were fitted to measurements of micromark 4 with GFM, towards the expensive side.
 */
const COST = {
  character: 0.5,
  line: 25,
  container: 10,
  containerMark: 60,
  special: 8,
  /** For each delimiter or bracket times each special character of its paragraph. */
  pair: 0.035,
  /** For each character that is looked at once more: a run of backticks or a declaration searches for its end. */
  search: 0.035,
  /** For the square of the lines that continue a list or quote without its marks. */
  lazyLine: 0.08,
  /** For the square of the lines that may underline a heading. */
  underline: 0.25,
  /** For the square of all lines. */
  anyLine: 0.005,
} as const;

/** Lists and quotes inside each other; deeper ones than people write cost stack. */
const DEPTH_MAX = 16;
/** Cells in one line; wider tables cannot be read by anybody. */
export const COLUMNS_MAX = 100;
const LENGTH_MAX = 100_000;

const LINE = /[^\n\r]*(?:\r\n|\n|\r|$)/g;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;
const MARK = /[ \t]*(?:(>)|([-+*]|\d{1,9}[.)])(?=[ \t]|$))/y;
/** Begins a paragraph of its own wherever it stands, so that nothing before it can pair with anything behind it. */
const STARTS_AFRESH = /^ {0,3}(?:[-+*][ \t]+[^ \t]|#{1,6}[ \t])/;

/** The cost of reading `segment`; infinite when it must not be read at all. */
export function weigh(segment: string): number {
  if (segment.length > LENGTH_MAX) return Number.POSITIVE_INFINITY;
  const containers: number[] = [];
  let cost = segment.length * COST.character;
  let [lines, lazy, underlines] = [0, 0, 0];
  let paragraph = newParagraph();
  let afterBlank = true;
  for (const [ended] of segment.matchAll(LINE)) {
    const line = ended.trimEnd();
    lines += 1;
    cost += COST.line;
    if (line === '' || STARTS_AFRESH.test(line)) {
      cost += costOf(paragraph);
      paragraph = newParagraph();
    }
    if (line !== '') {
      const marks = enter(containers, line, afterBlank);
      if (marks === 0 && !afterBlank && containers.length > 0) lazy += 1;
      if (UNDERLINE.test(line)) underlines += 1;
      cost += marks * COST.containerMark + containers.length * COST.container;
      if (containers.length > DEPTH_MAX || !count(paragraph, line)) return Number.POSITIVE_INFINITY;
    }
    paragraph.length += ended.length;
    afterBlank = line === '';
  }
  cost += costOf(paragraph);
  return cost + lazy ** 2 * COST.lazyLine + underlines ** 2 * COST.underline + lines ** 2 * COST.anyLine;
}

/** Opens and closes the lists and quotes of a line, by the columns of their marks; says how many marks it has. */
function enter(containers: number[], line: string, afterBlank: boolean): number {
  const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  const close = (column: number): void => {
    while ((containers.at(-1) ?? -1) >= column) containers.pop();
  };
  if (RULE.test(line)) {
    close(indent);
    return 0;
  }
  let marks = 0;
  MARK.lastIndex = 0;
  for (let found = MARK.exec(line); found !== null; found = MARK.exec(line)) {
    const mark = found[1] ?? found[2] ?? '';
    const column = found.index + found[0].length - mark.length;
    if (marks === 0) close(column);
    containers.push(column);
    marks += 1;
    if (containers.length > DEPTH_MAX) break;
  }
  if (marks === 0 && afterBlank) close(indent);
  return marks;
}

interface ParagraphCount {
  length: number;
  specials: number;
  /** Delimiters and brackets. */
  pairing: number;
  /** Declarations, comments and processing instructions, each of which may search its end in vain. */
  searches: number;
  /** Lengths of runs of backticks: of each only the last can search in vain. */
  readonly ticks: Set<number>;
}

const newParagraph = (): ParagraphCount => ({ length: 0, specials: 0, pairing: 0, searches: 0, ticks: new Set() });

const costOf = ({ length, specials, pairing, searches, ticks }: ParagraphCount): number =>
  specials * COST.special + pairing * specials * COST.pair + (searches + ticks.size) * length * COST.search;

const SPECIAL = /\\.?|`+|<[!?]?|[*_~[\]()&!|@:]/g;

/** Adds a line's special characters; false when it has more cells than a table may have. */
function count(paragraph: ParagraphCount, line: string): boolean {
  let cells = 0;
  for (const [special] of line.matchAll(SPECIAL)) {
    paragraph.specials += 1;
    if (special === '|') cells += 1;
    else if ('*_~[]'.includes(special)) paragraph.pairing += 1;
    else if (special.startsWith('`')) paragraph.ticks.add(special.length);
    else if (special === '<!' || special === '<?') paragraph.searches += 1;
  }
  return cells <= COLUMNS_MAX + 1;
}
