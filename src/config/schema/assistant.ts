import { z } from 'zod';
import { reasoningEffort } from './answering.ts';
import { filledText, timeZoneText } from './text.ts';

export const assistantSchema = z.object({
  /** A name of `models`. Absent: the first one. */
  model: filledText.optional(),
  /** Tried in order when `model` fails before it has said a word. */
  fallbacks: z.array(filledText).default([]),
  soul: z.string().default('You are a friendly, capable assistant. Answer briefly and to the point.'),
  /** A file that holds the soul, in the place of `soul`. */
  soul_file: filledText.optional(),
  reasoning_effort: reasoningEffort.optional(),
  /** Names of tools and of groups (`group:files`); `all` for every one. */
  tools: z.array(filledText).default(['all']),
  /** Names of `mcp_servers`; `all` for every one. */
  mcp_servers: z.array(filledText).default(['all']),
  /** Names of `agents`; `all` for every one. They run with the rights of Antler itself, so nobody has one unasked. */
  agents: z.array(filledText).default([]),
  /** With more tools than this, those of MCP servers and agents are only named until it looks for them. */
  max_described_tools: z.int().min(0).max(500).default(40),
  /** Names of skills; `all` for every one. */
  skills: z.array(filledText).default(['all']),
  /** False: it runs no commands, although there is an engine. */
  sandbox: z.boolean().default(true),
  /** May it propose changes of its soul and of custom skills, for the owner to approve? */
  proposals: z.boolean().default(false),
  /** Model calls in one run. */
  max_steps: z.int().min(1).max(500).default(30),
  /** Tokens of one run, input and output together. Absent: no limit. */
  max_run_tokens: z.int().min(1_000).optional(),
  /** May it hand work to sub-agents? */
  subagents: z.boolean().default(true),
  /** How long the work on one answer may take, in seconds. */
  max_run_seconds: z.int().min(1).max(86_400).default(900),
  time_zone: timeZoneText.default(() => Intl.DateTimeFormat().resolvedOptions().timeZone),
});

export type AssistantEntry = z.output<typeof assistantSchema>;
