import type { Wechaty } from 'wechaty';

/** What wechaty remembers a login in, as far as it is used here. */
interface Card {
  set(key: string, value: unknown): Promise<unknown>;
  save(): Promise<void>;
  entries(): AsyncIterable<readonly [string, unknown]>;
}

/**
 * Gives the bot what an earlier one remembered, and tells whenever it wants something remembered. wechaty would keep
 * it in a file; a login belongs among the channel's secrets.
 *
 * @param bot one that was initialised and is not started yet
 */
export async function lendMemory(
  bot: Wechaty,
  remembered: string | null,
  keep: (memory: string) => void,
): Promise<void> {
  const card = Reflect.get(bot, 'memory') as Card;
  for (const [key, value] of entriesOf(remembered)) await card.set(key, value);
  let last = remembered ?? '{}';
  card.save = async () => {
    const all: Record<string, unknown> = {};
    for await (const [key, value] of card.entries()) all[key] = value;
    const memory = JSON.stringify(all);
    if (memory !== last) keep(memory); // wechat4u saves at every error, hundreds of times a second
    last = memory;
  };
}

function entriesOf(remembered: string | null): [string, unknown][] {
  try {
    const value: unknown = JSON.parse(remembered ?? '{}');
    return typeof value === 'object' && value !== null ? Object.entries(value) : [];
  } catch {
    return []; // a new login will do
  }
}
