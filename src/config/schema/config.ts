import { z } from 'zod';
import type { ChannelType } from '../../channel/message.ts';
import { agentSchema } from './agent.ts';
import { assistantSchema } from './assistant.ts';
import { budgetsSchema } from './budgets.ts';
import type { ChannelCommon } from './channel.ts';
import { guardrailsSchema } from './guardrails.ts';
import { mcpServerSchema } from './mcp.ts';
import { memorySchema } from './memory.ts';
import { modelSchema } from './model.ts';
import { rolesSchema } from './roles.ts';
import { routeSchema } from './routing.ts';
import { sandboxSchema } from './sandbox.ts';
import { schedulesSchema } from './schedules.ts';
import {
  databaseSchema,
  deliverySchema,
  fairnessSchema,
  filesSchema,
  logSchema,
  redisSchema,
  serverSchema,
} from './server.ts';
import { skillsSchema } from './skills.ts';
import { subagentsSchema } from './subagents.ts';
import { tasksSchema } from './tasks.ts';
import { filledText, folderText, nameText } from './text.ts';
import { netSchema, webSchema } from './web.ts';

/** The version of the file's shape that this Antler writes and reads. */
export const configVersion = 1;

/** Everything in the file; what stands in a channel is checked by `channel.ts` and the channel's manifest. */
export const configSchema = z.object({
  version: z.int().default(configVersion),
  server: serverSchema.prefault({}),
  data_dir: folderText.default('./data'),
  redis: redisSchema.prefault({}),
  database: databaseSchema.prefault({}),
  models: z.array(modelSchema).default([]),
  assistants: z.record(nameText, assistantSchema).default({}),
  /** Servers of tools. */
  mcp_servers: z.record(nameText, mcpServerSchema).default({}),
  /** Agents of other makers. */
  agents: z.record(nameText, agentSchema).default({}),
  /** Who answers where nothing else is said. Absent: the first assistant. */
  assistant_id: filledText.optional(),
  channels: z.record(nameText, z.record(z.string(), z.unknown())).default({}),
  roles: rolesSchema.prefault({}),
  routing: z.array(routeSchema).default([]),
  subagents: subagentsSchema.prefault({}),
  skills: skillsSchema.prefault({}),
  guardrails: guardrailsSchema.prefault({}),
  sandbox: sandboxSchema.prefault({}),
  net: netSchema.prefault({}),
  web: webSchema.prefault({}),
  fairness: fairnessSchema.prefault({}),
  budgets: budgetsSchema.prefault({}),
  memory: memorySchema.prefault({}),
  tasks: tasksSchema.prefault({}),
  schedules: schedulesSchema.prefault({}),
  delivery: deliverySchema.prefault({}),
  files: filesSchema.prefault({}),
  log: logSchema.prefault({}),
  /** What the bot speaks when the platform does not say what a person speaks. */
  language: z.enum(['en', 'zh']).optional(),
});

/** One configured bot. */
export interface ChannelConfig extends Omit<ChannelCommon, 'type' | 'assistant_id'> {
  readonly name: string;
  readonly type: ChannelType;
  readonly assistant_id: string;
  /** What the manifest's schema made of the channel's own keys; undefined when the channel is disabled. */
  readonly settings: unknown;
}

/** What the whole of Antler runs by: the file's keys with every default filled in and every name checked. */
export interface Config extends Omit<z.output<typeof configSchema>, 'channels' | 'assistant_id'> {
  /** Absolute. */
  readonly data_dir: string;
  readonly assistant_id: string;
  readonly channels: Readonly<Record<string, ChannelConfig>>;
}
