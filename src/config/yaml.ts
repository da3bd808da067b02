import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLParseError,
} from 'yaml';
import { didYouMean } from '../base/near.ts';
import { isMapping, type Path, pathKey } from './path.ts';
import type { Place, Problem } from './problem.ts';
import { type Environment, given, resolveVariables } from './variables.ts';

/** A file as plain values, with what is needed to point at each of them. */
export interface Source {
  readonly tree: unknown;
  readonly problems: readonly Problem[];
  /** The place of what stands at `path`, else of the nearest thing around it. */
  readonly placeOf: (path: Path, part?: 'key' | 'value') => Place;
  /** Values that came from variables (by {@link pathKey}): they are text, whatever is expected. */
  readonly fromVariables: ReadonlyMap<string, readonly string[]>;
  /** Numbers as they were written, since `0012` or a long id may be meant as text. */
  readonly numbers: ReadonlyMap<string, string>;
}

/** More than anybody writes by hand; a "billion laughs" file needs many more. */
const maxAliases = 100;
/** Several times what any setting needs; whoever walks through the tree later can rely on it. */
const maxDepth = 50;

/**
 * Reads YAML (1.2, core schema: no tags that run code) and resolves references to variables. Everything that is wrong
 * is listed; what can be read is read all the same.
 */
export function readYaml(text: string, file: string, env: Environment): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const reader = new Reader(document, file, lines, env);
  const broken = document.errors.length > 0;
  for (const error of mistakesOf(document)) reader.complain([], error.pos[0], wordsFor(error));
  const tree = broken || document.contents === null ? {} : (reader.read(document.contents, [], false) ?? {});
  if (!isMapping(tree)) reader.complain([], 0, 'expected keys and values, such as "version: 1"');
  return {
    tree: isMapping(tree) ? tree : {},
    problems: reader.problems,
    placeOf: (path, part = 'value') => reader.placeOf(path, part),
    fromVariables: reader.fromVariables,
    numbers: reader.numbers,
  };
}

/** When the parser could not follow the nesting, that is what is wrong; its other complaints come of it. */
function mistakesOf({ errors }: Document): readonly YAMLParseError[] {
  const exhausted = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  return exhausted === undefined ? errors : [exhausted];
}

const tooDeep = 'nested too deeply; no setting is that deep';

function wordsFor({ code, message }: YAMLParseError): string {
  switch (code) {
    case 'RESOURCE_EXHAUSTION':
      return tooDeep;
    case 'MULTIPLE_DOCS':
      return 'a second document begins here; keep one, without "---" between settings';
    default:
      return `not valid YAML: ${oneLine(message)}`;
  }
}

const oneLine = (text: string): string => text.split('\n')[0]?.trim() ?? '';

class Reader {
  readonly problems: Problem[] = [];
  readonly fromVariables = new Map<string, readonly string[]>();
  readonly numbers = new Map<string, string>();
  readonly #document: Document;
  readonly #file: string;
  readonly #lines: LineCounter;
  readonly #env: Environment;
  readonly #keys = new Map<string, number>();
  readonly #values = new Map<string, number>();
  readonly #open = new Set<Node>();
  #aliases = 0;

  constructor(document: Document, file: string, lines: LineCounter, env: Environment) {
    this.#document = document;
    this.#file = file;
    this.#lines = lines;
    this.#env = env;
  }

  complain(path: Path, offset: number | undefined, message: string): void {
    const place = offset === undefined ? this.placeOf(path, 'value') : this.#at(offset);
    this.problems.push({ place, path, message });
  }

  placeOf(path: Path, part: 'key' | 'value'): Place {
    const [first, second] = part === 'key' ? [this.#keys, this.#values] : [this.#values, this.#keys];
    for (let length = path.length; length > 0; length--) {
      const key = pathKey(path.slice(0, length));
      // What is missing is shown at the key it is missing under, not at the first value inside.
      const offset = length === path.length ? (first.get(key) ?? second.get(key)) : this.#keys.get(key);
      const found = offset ?? this.#values.get(key);
      if (found !== undefined) return this.#at(found);
    }
    return { kind: 'whole_file', file: this.#file };
  }

  #at(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { kind: 'file', file: this.#file, line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  /** `dormant`: inside something with `enabled: false`, where variables need not be set. */
  read(node: unknown, path: Path, dormant: boolean): unknown {
    if (isAlias(node)) return this.#readAlias(node, path, dormant);
    if (isMap(node)) {
      this.#note(node, path);
      return this.#within(node, path, () => this.#readMap(node.items, path, dormant));
    }
    if (isSeq(node)) {
      this.#note(node, path);
      return this.#within(node, path, () => node.items.map((item, i) => this.read(item, [...path, i], dormant)));
    }
    if (!isScalar(node)) return null;
    this.#note(node, path);
    if (typeof node.value === 'string') return this.#readText(node.value, path, dormant);
    if (typeof node.value === 'number' && node.source !== undefined) this.numbers.set(pathKey(path), node.source);
    return node.value;
  }

  #note(node: Node, path: Path): void {
    const key = pathKey(path);
    // An alias comes before what it stands for: an error belongs where it is used.
    if (node.range && !this.#values.has(key)) this.#values.set(key, node.range[0]);
  }

  #within(node: Node, path: Path, read: () => unknown): unknown {
    if (this.#open.has(node)) {
      this.complain(path, undefined, 'this alias contains itself');
      return null;
    }
    if (path.length > maxDepth) {
      this.complain(path.slice(0, 1), node.range?.[0], tooDeep);
      return null;
    }
    this.#open.add(node);
    const value = read();
    this.#open.delete(node);
    return value;
  }

  #readAlias(alias: Alias, path: Path, dormant: boolean): unknown {
    this.#note(alias, path);
    const target = alias.resolve(this.#document);
    this.#aliases += 1;
    if (this.#aliases === maxAliases + 1) this.complain(path, undefined, `more than ${maxAliases} aliases`);
    if (this.#aliases > maxAliases) return null;
    if (target === undefined) {
      this.complain(
        path,
        undefined,
        `unknown alias "*${alias.source}"; an anchor "&${alias.source}" must come before it`,
      );
      return null;
    }
    return this.read(target, path, dormant);
  }

  #readMap(pairs: readonly Pair[], path: Path, dormantAround: boolean): unknown {
    const dormant = dormantAround || this.#isDisabled(pairs);
    const entries = new Map<string, unknown>();
    for (const pair of pairs) {
      if (!isScalar(pair.key)) {
        this.complain(path, undefined, 'every key must be plain text');
        continue;
      }
      const name = String(pair.key.value);
      const here = [...path, name];
      const offset = pair.key.range?.[0];
      if (entries.has(name)) {
        const first = this.placeOf(here, 'key');
        const where = first.kind === 'file' ? ` (first on line ${first.line})` : '';
        this.complain(here, offset, `this key is here twice${where}; keep one`);
        continue;
      }
      if (offset !== undefined) this.#keys.set(pathKey(here), offset);
      entries.set(name, this.read(pair.value, here, dormant));
    }
    return Object.fromEntries(entries);
  }

  #isDisabled(pairs: readonly Pair[]): boolean {
    const value = pairs.find((pair) => isScalar(pair.key) && pair.key.value === 'enabled')?.value;
    if (!isScalar(value)) return false;
    return value.value === false || resolveVariables(String(value.value), this.#env).text === 'false';
  }

  #readText(source: string, path: Path, dormant: boolean): string {
    const { text, names, missing, malformed } = resolveVariables(source, this.#env);
    if (names.length > 0) this.fromVariables.set(pathKey(path), names);
    if (dormant) return text;
    if (malformed)
      this.complain(path, undefined, `expected $\{NAME} or $\{NAME:-default}; write "$$" for a plain dollar sign`);
    const set = Object.keys(this.#env).filter((name) => given(this.#env, name) !== undefined);
    for (const name of missing)
      this.complain(
        path,
        undefined,
        `the environment variable ${name} is not set${didYouMean(name, set) || '; for a plain dollar sign write "$$"'}`,
      );
    return text;
  }
}
