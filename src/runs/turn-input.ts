import { z } from 'zod';
import { AntlerError } from '../base/errors.ts';
import type { TaskId, ThreadKey } from '../base/ids.ts';
import { ROLES, type Role } from '../base/roles.ts';
import type { Language } from '../base/sentences.ts';
import type { TurnInput } from '../bus/port.ts';
import type { InboundMessage } from '../channel/message.ts';
import type { EarlierMessage } from '../channel/port.ts';
import type { Wishes } from '../routing/port.ts';

/** What intake puts into a thread's inbox and a worker takes out of it. */
export interface TurnPayload {
  readonly message: InboundMessage;
  readonly place: ThreadKey;
  readonly assistantId: string;
  readonly language: Language;
  /** What its sender was when it was sent; absent in what an older version took in. */
  readonly role?: Role;
  /** The task that it belongs to. Absent: it is said in a chat. */
  readonly task?: TaskId;
  /** What was said there before, when the conversation was new. */
  readonly earlier?: readonly EarlierMessage[];
  /** Where what is said in the bot's hearing is kept for it; absent: nowhere. */
  readonly hearing?: ThreadKey;
  /** What is otherwise than the assistant says. */
  readonly wishes?: RunWishes;
}

export type RunWishes = Omit<Wishes, 'assistantId'>;

/** The role of who sent it. An older version, which took it in without one, had let them in. */
export const roleIn = ({ role = 'member' }: TurnPayload): Role => role;

/** Checked at the edge for what the worker leans on; the message itself was made by an adapter of ours. */
const shape = z.object({
  message: z.looseObject({ channel: z.string(), chat: z.looseObject({ id: z.string() }), text: z.string() }),
  place: z.string(),
  assistantId: z.string(),
  language: z.enum(['en', 'zh']),
  role: z.enum(ROLES).optional(),
  earlier: z
    .array(z.object({ id: z.string(), at: z.number(), name: z.string(), fromBot: z.boolean(), text: z.string() }))
    .optional(),
  hearing: z.string().optional(),
  wishes: z.looseObject({}).optional(),
  task: z.string().optional(),
});

/** Reads an inbox entry. A payload of an unknown shape (a newer version's, say) is a `bad_input`. */
export function readPayload(input: TurnInput): TurnPayload {
  const read = shape.safeParse(input.payload);
  if (!read.success) throw new AntlerError('bad_input', `inbox entry ${input.seq} has an unknown shape`);
  return read.data as unknown as TurnPayload;
}
