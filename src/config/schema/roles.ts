import { z } from 'zod';
import { filledText } from './text.ts';

/** Names, or `all`; an empty list is nothing at all. */
const all = z.array(filledText).default(['all']);

const roleSchema = z.object({
  /** `<channel>/<user id>`. */
  users: z.array(filledText).default([]),
  /** `<channel>/<id>` of a Slack user group or a Feishu department. */
  groups: z.array(filledText).default([]),
  /** `<channel>/<chat id>`: everybody who speaks there. */
  chats: z.array(filledText).default([]),
  /** What people of this role may use. */
  assistants: all,
  /** Names of tools and of groups (`group:files`). */
  tools: all,
  models: all,
  skills: all,
  /** Besides those that a role is too low for anyway. */
  commands: all,
});

/** Who is what, and what that allows. The best role that somebody has counts. */
export const rolesSchema = z.object({
  owner: roleSchema.prefault({}),
  admin: roleSchema.prefault({}),
  operator: roleSchema.prefault({}),
  member: roleSchema.prefault({}),
  guest: roleSchema.prefault({}),
});
