import type { ThreadId } from '../../base/ids.ts';
import type { DeadLetter, DeadLetters, NewDelivery, TurnInput } from '../port.ts';
import { deliveryHeader, inputItem, place } from './codec.ts';
import { unavailable } from './connection.ts';
import { list, number } from './reply.ts';
import { wakeUpsOf } from './wake.ts';
import { runPromptly, type Wiring } from './wiring.ts';

/** As `lua/parts/letters.lua` writes them. */
interface Stored {
  readonly kind: DeadLetter['kind'];
  readonly at: number;
  readonly error: string;
  readonly thread?: string;
  readonly chat?: string;
  readonly content: unknown;
}

function letterOf(id: string, json: string): DeadLetter {
  const { kind, at, error, thread, chat, content } = JSON.parse(json) as Stored;
  if (kind === 'turn') return { id, kind, at, error, thread: thread as ThreadId, chat: chat ?? '', content };
  const { channel, target } = content as NewDelivery;
  return { id, kind, at, error, channel, chat: target.chat, content };
}

/** What failed for good, in a hash by id; a sorted set keeps the order. */
export function createDeadLetters(wiring: Wiring): DeadLetters {
  const { base, prompt } = wiring;
  const read = async (id: string): Promise<DeadLetter | null> => {
    const json = await prompt.hget(`${base}dlq`, id);
    return json === null ? null : letterOf(id, json);
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
          return json === null || json === undefined ? [] : [letterOf(id, json)];
        });
      } catch (thrown) {
        throw unavailable(thrown);
      }
    },
    replay: async (id) => {
      const letter = await read(id).catch((thrown: unknown) => {
        throw unavailable(thrown);
      });
      if (letter === null) return false;
      const [done, wakes] = list(await runPromptly(wiring, 'replay', id, ...replayArguments(letter)));
      await wiring.promptWaker.wake(wakeUpsOf(wakes));
      return number(done) === 1;
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

function replayArguments(letter: DeadLetter): string[] {
  if (letter.kind === 'turn')
    return ['turn', letter.thread ?? '', letter.chat ?? '', ...(letter.content as TurnInput[]).map(inputItem)];
  const delivery = letter.content as NewDelivery;
  return ['delivery', delivery.channel, place(delivery), deliveryHeader(delivery), JSON.stringify(delivery)];
}
