import { XMLParser } from 'fast-xml-parser';
import { AntlerError } from '../../../src/base/errors.ts';

/** An element: its own text, and its children by name, each as a list: one and many look alike. */
export interface Element {
  readonly text: string;
  readonly children: ReadonlyMap<string, readonly Element[]>;
}

const CDATA = '#cdata';
const TEXT = '#text';

/** In order, so that text around CDATA stays where it was; nothing is converted, so that long numbers stay whole. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: true,
  processEntities: false,
  parseTagValue: false,
  trimValues: false,
  cdataPropName: CDATA,
});

/** WeCom's messages have neither; with them, a small document can become one of gigabytes or name files of ours. */
const DECLARES = /<!(?:DOCTYPE|ENTITY)/i;

/**
 * Reads the element `xml`.
 * @throws AntlerError `bad_input`
 */
export function readXml(text: string): Element {
  if (DECLARES.test(withoutCdata(text))) throw new AntlerError('bad_input', 'The XML declares entities.');
  let nodes: unknown;
  try {
    nodes = parser.parse(text);
  } catch (cause) {
    throw new AntlerError('bad_input', 'The body is not XML.', { cause });
  }
  const root = elementOf(nodes, 0).children.get('xml')?.[0];
  if (root === undefined) throw new AntlerError('bad_input', 'There is no element xml.');
  return root;
}

const CDATA_BEGINS = '<![CDATA[';
const CDATA_ENDS = ']]>';

/** What is text in CDATA declares nothing. */
function withoutCdata(text: string): string {
  const outside: string[] = [];
  let from = 0;
  for (;;) {
    const begins = text.indexOf(CDATA_BEGINS, from);
    const ends = begins < 0 ? -1 : text.indexOf(CDATA_ENDS, begins);
    if (ends < 0) return outside.join('') + text.slice(from);
    outside.push(text.slice(from, begins));
    from = ends + CDATA_ENDS.length;
  }
}

/** The text of an element down a path of names; undefined when it is not there. */
export function textAt(element: Element | undefined, ...path: readonly string[]): string | undefined {
  let at = element;
  for (const name of path) at = at?.children.get(name)?.[0];
  return at?.text;
}

/** All elements of a name below a path. */
export function allAt(element: Element, ...path: readonly string[]): readonly Element[] {
  let at: readonly Element[] = [element];
  for (const name of path) at = at.flatMap((one) => one.children.get(name) ?? []);
  return at;
}

/** As deep as no message of WeCom's goes. */
const DEPTH_MAX = 16;

function elementOf(nodes: unknown, depth: number): Element {
  const children = new Map<string, Element[]>();
  let text = '';
  for (const node of depth < DEPTH_MAX && Array.isArray(nodes) ? nodes : []) {
    if (typeof node !== 'object' || node === null) continue;
    for (const [name, value] of Object.entries(node)) {
      if (name === TEXT) text += unescaped(String(value));
      else if (name === CDATA) text += rawText(value);
      else if (Array.isArray(value)) {
        const alike = children.get(name) ?? [];
        alike.push(elementOf(value, depth + 1));
        children.set(name, alike);
      }
    }
  }
  return { text: children.size > 0 ? '' : text, children };
}

/** CDATA is what it is. */
const rawText = (nodes: unknown): string =>
  (Array.isArray(nodes) ? nodes : [])
    .map((node) => (typeof node === 'object' && node !== null ? String(Reflect.get(node, TEXT) ?? '') : ''))
    .join('');

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The five entities that XML has by itself, and characters by their number. */
const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return NAMED[name.toLowerCase()] ?? whole;
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '�';
  });
