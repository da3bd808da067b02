import { z } from 'zod';
import { ROLES } from '../../base/roles.ts';
import { answeringShape } from './answering.ts';
import { filledText } from './text.ts';

/** One, or several of which any will do. */
const oneOrMore = <Item extends z.ZodType>(item: Item) => z.union([item, z.array(item).min(1)]);

/** All that is named must fit; in texts and ids `*` stands for anything. */
const matchSchema = z.object({
  /** The channel's name. */
  channel: oneOrMore(filledText).optional(),
  /** The platform's chat id. */
  chat: oneOrMore(filledText).optional(),
  chat_kind: z.enum(['dm', 'group']).optional(),
  /** `<channel>/<user id>`. */
  user: oneOrMore(filledText).optional(),
  role: oneOrMore(z.enum(ROLES)).optional(),
  /** A message that begins with this command, such as `research` for `/research climate`. */
  command: oneOrMore(filledText.regex(/^[\p{L}\p{N}_-]+$/u, 'expected a word without the slash')).optional(),
  /** A message that begins with this name or mentions it. */
  mention: oneOrMore(filledText).optional(),
  /** What the message says, capital letters or not. */
  text: oneOrMore(filledText).optional(),
});

/** Which assistant answers: the first rule that fits decides. */
export const routeSchema = z.object({
  match: matchSchema.prefault({}),
  /** A key of `assistants`. */
  assistant_id: filledText,
  ...answeringShape,
});

export type RouteEntry = z.output<typeof routeSchema>;
