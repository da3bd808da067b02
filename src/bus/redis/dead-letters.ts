import type { ThreadId } from '../../base/ids.ts';
import type { DeadLetter, DeadLetters, NewDelivery, TurnInput } from '../port.ts';
import { deliveryHeader, fieldText, inputItem, place } from './codec.ts';
import { unavailable } from './connection.ts';
import { runPromptly, type Wiring } from './wiring.ts';

/** As `lua/parts/letters.lua` writes them. */
interface Stored {
  readonly kind: DeadLetter['kind'];
  readonly at: number;
  readonly error: string;
  readonly thread?: string;
  /** Channel, chat and user of each input of a turn. */
  readonly senders?: readonly (readonly [channel: string, chat: string, user: string])[];
  readonly content: unknown;
}

function letterOf(id: string, { kind, at, error, thread, senders, content }: Stored): DeadLetter {
  const [[channel, chat] = ['', '']] = senders ?? [];
  if (kind === 'turn') return { id, kind, at, error, thread: thread as ThreadId, channel, chat, content };
  const delivery = content as NewDelivery;
  return { id, kind, at, error, channel: delivery.channel, chat: delivery.target.chat, content };
}

/** What failed for good, in a hash by id; a sorted set keeps the order. */
export function createDeadLetters(wiring: Wiring): DeadLetters {
  const { base, prompt } = wiring;
  const read = async (id: string): Promise<Stored | null> => {
    try {
      const json = await prompt.hget(`${base}dlq`, id);
      return json === null ? null : (JSON.parse(json) as Stored);
    } catch (thrown) {
      throw unavailable(thrown);
    }
  };
  return {
    list: async (limit) => {
      try {
        if (limit < 1) return [];
        const ids = await prompt.zrevrange(`${base}dlq:order`, 0, limit - 1);
        if (ids.length === 0) return [];
        const letters = await prompt.hmget(`${base}dlq`, ...ids);
        return ids.flatMap((id, i) => {
          const json = letters[i];
          return json === null || json === undefined ? [] : [letterOf(id, JSON.parse(json) as Stored)];
        });
      } catch (thrown) {
        throw unavailable(thrown);
      }
    },
    get: async (id) => {
      const stored = await read(id);
      return stored === null ? null : letterOf(id, stored);
    },
    replay: async (id) => {
      const letter = await read(id);
      if (letter === null) return false;
      return (await runPromptly(wiring, 'replay', id, ...replayArguments(letter, wiring.shards))) === 1;
    },
    drop: async (id) => {
      try {
        const [dropped] = await Promise.all([prompt.hdel(`${base}dlq`, id), prompt.zrem(`${base}dlq:order`, id)]);
        return dropped === 1;
      } catch (thrown) {
        throw unavailable(thrown);
      }
    },
  };
}

function replayArguments({ kind, thread = '', senders = [], content }: Stored, shards: number): string[] {
  if (kind !== 'turn') {
    const delivery = content as NewDelivery;
    return [
      'delivery',
      fieldText(delivery.channel),
      place(delivery),
      deliveryHeader(delivery, shards),
      JSON.stringify(delivery),
    ];
  }
  const items = (content as TurnInput[]).map(({ at, payload }, i) => {
    const [channel, chat, user] = senders[i] ?? ['', '', ''];
    return inputItem({ channel, chat, user, dedupeKey: '', busy: 'collect', at, payload });
  });
  return ['turn', thread, ...items];
}
