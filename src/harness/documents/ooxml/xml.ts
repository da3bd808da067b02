import { XMLParser } from 'fast-xml-parser';
import { problems } from '../problems.ts';

/**
 * The text of an XML part. Office documents may have no document type (ECMA-376, part 2, 8.1.4), so entities that grow
 * into gigabytes or name other files are refused before any parser sees them.
 *
 * @throws AntlerError `unsupported`.
 */
export function xmlText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw problems.entities();
  return text;
}

const COMMON = {
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true, // numeric references are among them
} as const;

const tree = new XMLParser(COMMON);
const ordered = new XMLParser({ ...COMMON, preserveOrder: true });

/** An element: its attributes under `@name`, its text under `#text`, its children under their names. */
export interface XmlNode {
  readonly [name: string]: unknown;
}

/** XML in which the order of different children does not matter. */
export function parseXml(text: string): XmlNode {
  const parsed: unknown = tree.parse(text);
  return isNode(parsed) ? parsed : {};
}

const isNode = (value: unknown): value is XmlNode => typeof value === 'object' && value !== null;

/** The children of a name; an element that holds nothing but text counts as one with `#text`. */
export function children(node: XmlNode | undefined, name: string): readonly XmlNode[] {
  const found = node?.[name];
  if (found === undefined) return [];
  return (Array.isArray(found) ? found : [found]).map((one: unknown) => (isNode(one) ? one : { '#text': String(one) }));
}

export const child = (node: XmlNode | undefined, ...path: readonly string[]): XmlNode | undefined =>
  path.reduce<XmlNode | undefined>((at, name) => children(at, name)[0], node);

export function attribute(node: XmlNode | undefined, name: string): string | undefined {
  const value = node?.[`@${name}`];
  return value === undefined ? undefined : String(value);
}

export const textOf = (node: XmlNode | undefined): string => String(node?.['#text'] ?? '');

/** An element in its order; `text` has no children. */
export interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

/** XML in which the order matters, as in running text. */
export function parseOrdered(text: string): readonly XmlElement[] {
  return elements(ordered.parse(text));
}

function elements(value: unknown): readonly XmlElement[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isNode).flatMap((entry) => {
    const name = Object.keys(entry).find((key) => key !== ':@');
    if (name === undefined) return [];
    if (name === '#text') return [{ name, text: String(entry[name]), attributes: {}, children: [] }];
    const given = isNode(entry[':@']) ? Object.entries(entry[':@']) : [];
    const attributes = Object.fromEntries(given.map(([key, one]) => [key.slice(1), String(one)]));
    return [{ name, text: '', attributes, children: elements(entry[name]) }];
  });
}

/** All elements of a name below these, in their order. */
export function* descendants(from: readonly XmlElement[], name: string): Generator<XmlElement> {
  for (const element of from) {
    if (element.name === name) yield element;
    else yield* descendants(element.children, name);
  }
}
