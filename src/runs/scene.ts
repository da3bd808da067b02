import type { Turn } from '../bus/port.ts';
import type { ChannelBook, ChannelEntry } from '../channel/book.ts';
import { targetOf } from '../channel/target.ts';
import type { AnswerAddress } from './deliveries.ts';
import { readPayload, type TurnPayload } from './turn-input.ts';

/** What a turn is about, read from its inputs. */
export interface Scene {
  readonly payloads: readonly TurnPayload[];
  /** The newest input: who is answered, where, in which language. */
  readonly last: TurnPayload;
  readonly entry: ChannelEntry;
  readonly address: AnswerAddress;
}

/** Null when the turn's channel is no longer configured. */
export function sceneOf(turn: Pick<Turn, 'thread' | 'inputs'>, channels: ChannelBook): Scene | null {
  const payloads = turn.inputs.map(readPayload);
  const last = payloads.at(-1);
  const first = turn.inputs[0];
  const entry = last === undefined ? undefined : channels.get(last.message.channel);
  if (last === undefined || first === undefined || entry === undefined) return null;
  const target = { ...targetOf(last.message), answers: payloads.map(({ message }) => message.id) };
  const address = { thread: turn.thread, firstSeq: first.seq, entry, target };
  return { payloads, last, entry, address };
}
