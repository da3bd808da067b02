import { z } from 'zod';
import type { FileId, ImUserKey, ThreadId } from '../base/ids.ts';
import type { MessageBus } from '../bus/port.ts';
import type { FileProblem } from '../harness/log.ts';
import type { Wish } from './port.ts';

/** Workers ask all gateways for files on one topic; how it went is told to all workers on the other. Both are lossy. */
const WANTED = 'files/wanted';
const SETTLED = 'files/settled';

type Radio = Pick<MessageBus, 'broadcast' | 'subscribe'>;

/** A fetch is over: the file is in the store, or there is a problem. */
export interface Settled {
  readonly id: FileId;
  readonly problem?: FileProblem;
}

const text = <Branded extends string>() => z.custom<Branded>((value) => typeof value === 'string');

const file = z.object({
  id: z.string(),
  kind: z.enum(['image', 'audio', 'voice', 'video', 'file', 'sticker']),
  name: z.string(),
  mime: z.string().optional(),
  bytes: z.number().optional(),
});

const wish = z.object({
  id: text<FileId>(),
  thread: text<ThreadId>(),
  channel: z.string(),
  chat: z.string(),
  owner: text<ImUserKey>(),
  file,
});

const settled = z.object({
  id: text<FileId>(),
  problem: z.enum(['too_large', 'gone', 'refused', 'late']).optional(),
});

export const askFor = (radio: Radio, wished: Wish): void => radio.broadcast(WANTED, JSON.stringify(wished));

export const onAsked = (radio: Radio, listener: (wished: Wish) => void): (() => void) =>
  radio.subscribe(WANTED, (data) => {
    const read = parse(wish, data);
    if (read !== null) listener(read as Wish);
  });

export const tellSettled = (radio: Radio, event: Settled): void => radio.broadcast(SETTLED, JSON.stringify(event));

export const onSettled = (radio: Radio, listener: (event: Settled) => void): (() => void) =>
  radio.subscribe(SETTLED, (data) => {
    const read = parse(settled, data);
    if (read !== null) listener(read as Settled);
  });

/** Null for what another version may say that this one does not know. */
function parse<Schema extends z.ZodType>(schema: Schema, data: string): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(data));
  } catch {
    return null;
  }
}
