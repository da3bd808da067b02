import { isMap, LineCounter, parseDocument } from 'yaml';
import { AntlerError } from '../../base/errors.ts';
import { didYouMean, nearest } from '../../base/near.ts';
import { MAX_BODY_CHARS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS } from './limits.ts';
import type { SkillManifest } from './port.ts';

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Words that mean something else where a skill is named. */
const RESERVED = new Set(['all', 'skill', 'skills', 'none']);
const TOOL = /^[A-Za-z0-9_*-]{1,64}$/;
const SECRET = /^[A-Z][A-Z0-9_]{0,63}$/;
/** What other products write into front matter, and what means nothing here. */
const IGNORED_KEYS = ['author', 'compatibility', 'metadata'];
const KEYS = ['name', 'description', 'allowed-tools', 'secrets', 'license', 'version'];
/** What commands get anyway, or what changes how they run: no secret takes its place. */
const NOT_FOR_SECRETS = /^(?:PATH|HOME|LANG|TERM|SHELL|USER|PWD|IFS|ENV|BASH_.*|LD_.*|DYLD_.*|NODE_.*|PYTHON.*)$/;

export interface ReadManifest {
  readonly manifest: SkillManifest;
  readonly body: string;
  readonly warnings: readonly string[];
}

/**
 * Reads a `SKILL.md`: front matter between two lines of `---`, then Markdown.
 * @throws AntlerError `bad_input` with the line and what to do.
 */
export function readManifest(text: string): ReadManifest {
  const parts = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text);
  if (parts === null)
    throw wrong(1, 'expected front matter: a line "---", then name and description, then a line "---"');
  const fields = readFields(parts[1] ?? '');
  const body = (parts[2] ?? '').replaceAll('\r\n', '\n').trim();
  if (body === '') throw wrong(fields.end, 'there is nothing behind the front matter: write down what to do');
  if (body.length > MAX_BODY_CHARS)
    throw wrong(fields.end, `more than ${MAX_BODY_CHARS} characters; move details into files beside it`);
  const license = fields.text('license', 200);
  const version = fields.text('version', 64);
  const manifest: SkillManifest = {
    name: nameOf(fields),
    description: descriptionOf(fields),
    allowedTools: fields.names('allowed-tools', TOOL, 'names of tools, such as read_file'),
    secrets: secretsOf(fields),
    ...(license === undefined ? {} : { license }),
    ...(version === undefined ? {} : { version }),
  };
  return { manifest, body, warnings: fields.unknown() };
}

function nameOf(fields: Fields): string {
  const name = fields.text('name', MAX_NAME_CHARS);
  if (name === undefined) throw wrong(1, 'name is missing');
  if (!NAME.test(name))
    throw fields.wrong('name', 'expected small letters, digits and single "-", such as weekly-report');
  if (RESERVED.has(name)) throw fields.wrong('name', `"${name}" means something else; choose another name`);
  return name;
}

function descriptionOf(fields: Fields): string {
  const description = fields.text('description', MAX_DESCRIPTION_CHARS)?.replace(/\s+/g, ' ');
  if (description === undefined || description === '')
    throw wrong(1, 'description is missing: say what it does and when to use it');
  if (/[<>]/.test(description)) throw fields.wrong('description', 'no "<" or ">", please');
  return description;
}

function secretsOf(fields: Fields): readonly string[] {
  const secrets = fields.names('secrets', SECRET, 'names of secrets, such as WEATHER_API_KEY') ?? [];
  const taken = secrets.find((name) => NOT_FOR_SECRETS.test(name));
  if (taken !== undefined) throw fields.wrong('secrets', `${taken} changes how commands run; choose another name`);
  return secrets;
}

const wrong = (line: number, message: string): AntlerError =>
  new AntlerError('bad_input', `SKILL.md, line ${line}: ${message}`);

interface Fields {
  /** The line behind the front matter. */
  readonly end: number;
  text(key: string, maxChars: number): string | undefined;
  /** A list, or words in one line; null where the key is not there. */
  names(key: string, pattern: RegExp, expected: string): readonly string[] | null;
  wrong(key: string, message: string): AntlerError;
  unknown(): readonly string[];
}

function readFields(yaml: string): Fields {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  // The line of `---` stands before what was parsed.
  const lineAt = (offset: number): number => lines.linePos(offset).line + 1;
  const [error] = document.errors;
  if (error !== undefined) {
    const [first = ''] = error.message.split('\n');
    const hint = /: /.test(yaml) ? '; text that holds ": " needs quotes' : '';
    throw wrong(lineAt(error.pos[0]), `not valid YAML: ${first}${hint}`);
  }
  const map = document.contents;
  if (!isMap(map)) throw wrong(2, 'expected keys and values, such as "name: weekly-report"');
  const values: Record<string, unknown> = document.toJS({ maxAliasCount: 10 });
  const lineOf = (key: string): number => {
    const pair = map.items.find((item) => String(item.key) === key);
    const range = typeof pair?.key === 'object' && pair.key !== null ? Reflect.get(pair.key, 'range') : undefined;
    return Array.isArray(range) && typeof range[0] === 'number' ? lineAt(range[0]) : 1;
  };
  const complain = (key: string, message: string): AntlerError => wrong(lineOf(key), `${key}: ${message}`);
  return {
    end: yaml.split('\n').length + 2,
    wrong: complain,
    text: (key, maxChars) => {
      const value = values[key];
      if (value === undefined || value === null) return undefined;
      // `version: 1.0` is a number to YAML.
      const text = typeof value === 'number' && key === 'version' ? String(value) : value;
      if (typeof text !== 'string') throw complain(key, 'expected text');
      if (text.length > maxChars) throw complain(key, `at most ${maxChars} characters`);
      return text.trim();
    },
    names: (key, pattern, expected) => {
      const value = values[key];
      if (value === undefined) return null;
      const list = typeof value === 'string' ? value.split(/[\s,]+/).filter((word) => word !== '') : (value ?? []);
      if (!Array.isArray(list)) throw complain(key, `expected a list of ${expected}`);
      for (const item of list)
        if (typeof item !== 'string' || !pattern.test(item))
          throw complain(key, `${JSON.stringify(item)} is none of the ${expected}`);
      return [...new Set(list as readonly string[])];
    },
    unknown: () => {
      const keys = Object.keys(values).filter((key) => !KEYS.includes(key) && !IGNORED_KEYS.includes(key));
      // A restriction that nobody reads would be none.
      const restriction = keys.find((key) => nearest(key, KEYS) === 'allowed-tools');
      if (restriction !== undefined) throw complain(restriction, 'write it as allowed-tools');
      return keys.map((key) => `SKILL.md, line ${lineOf(key)}: unknown key "${key}"${didYouMean(key, KEYS)}`);
    },
  };
}
