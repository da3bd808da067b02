import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Places } from '../port.ts';
import type { RedisClient } from './connection.ts';
import type { Reply } from './reply.ts';

const folder = new URL('./lua/', import.meta.url);

const names = [
  'bury',
  'cancel',
  'claim',
  'claim-release',
  'clear',
  'draft',
  'enqueue',
  'finish',
  'hold-scope',
  'isolate',
  'keep',
  'lease',
  'postpone',
  'publish',
  'recall',
  'release',
  'renew',
  'replay',
  'resume',
  'sent',
  'steer',
  'sweep',
  'take',
] as const;

export type ScriptName = (typeof names)[number];

/** The most inputs that one turn gets; the others wait for the next. */
const MAX_INPUTS = 20;

interface Source {
  readonly lua: string;
  readonly sha: string;
}

export interface ScriptSettings {
  readonly base: string;
  /** Does this Redis know the `#!lua` line (7.0 and later)? */
  readonly flags: boolean;
  readonly places: Places;
  /** The most inputs that wait in one thread. */
  readonly maxInbox: number;
}

/**
 * The scripts of `lua/`, with the parts that they name put in. A part is made anew at every call, which costs more than
 * a command: scripts name it where it is needed, and return before it where it is not. Each takes one key, the base `{prefix}:`, and builds all others from it: they carry the same
 * hash tag, so that a script never leaves its slot.
 */
export class Scripts {
  readonly #base: string;
  readonly #sources: Readonly<Record<ScriptName, Source>>;

  constructor({ base, flags, places, maxInbox }: ScriptSettings) {
    this.#base = base;
    const constants =
      `local MOST_INPUTS, MOST_WAITING, CHAT_PLACES, USER_PLACES = ` +
      `${MAX_INPUTS}, ${maxInbox}, ${places.chat}, ${places.user}`;
    const sources = names.map((name) => [name, load(name, flags, constants)] as const);
    this.#sources = Object.fromEntries(sources) as Record<ScriptName, Source>;
  }

  /** Sends its hash, and the script itself only when Redis does not know it (first use, or a restart). */
  async run(client: RedisClient, name: ScriptName, ...args: readonly (string | number)[]): Promise<Reply> {
    const { lua, sha } = this.#sources[name];
    try {
      return (await client.evalsha(sha, 1, this.#base, ...args)) as Reply;
    } catch (thrown) {
      if (!(thrown instanceof Error && thrown.message.startsWith('NOSCRIPT'))) throw thrown;
      return (await client.eval(lua, 1, this.#base, ...args)) as Reply;
    }
  }
}

function load(name: ScriptName, flags: boolean, constants: string): Source {
  const lines = readFileSync(new URL(`${name}.lua`, folder), 'utf8').split('\n');
  const shebang = lines[0]?.startsWith('#!') ? lines.shift() : undefined;
  const body = lines
    .map((line) => {
      const part = /^\s*--- @include (\w+)$/.exec(line)?.[1];
      return part === undefined ? line : readFileSync(new URL(`parts/${part}.lua`, folder), 'utf8');
    })
    .join('\n');
  const lua = `${flags && shebang !== undefined ? `${shebang}\n` : ''}local base = KEYS[1]\n${constants}\n${body}`;
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}
