import { fieldText, fieldValue } from './codec.ts';
import { unavailable } from './connection.ts';
import { number } from './reply.ts';
import { runPromptly, type Wiring } from './wiring.ts';

/** Threads that one step lets go. */
const BATCH = 200;

/** From now on no script hands out a turn or a delivery of the channel. */
export async function pause({ prompt, base }: Wiring, channel: string): Promise<void> {
  try {
    await prompt.sadd(`${base}paused`, fieldText(channel));
  } catch (thrown) {
    throw unavailable(thrown);
  }
}

export async function resume(wiring: Wiring, channel: string): Promise<void> {
  for (let more = true; more; ) {
    more = number(await runPromptly(wiring, 'resume', fieldText(channel), BATCH)) >= BATCH;
  }
}

export async function paused({ prompt, base }: Wiring): Promise<readonly string[]> {
  try {
    return (await prompt.smembers(`${base}paused`)).map(fieldValue).sort();
  } catch (thrown) {
    throw unavailable(thrown);
  }
}
