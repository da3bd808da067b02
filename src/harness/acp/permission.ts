import { createHash } from 'node:crypto';
import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { PermissionPolicy } from './port.ts';
import { oneLine } from './report.ts';

/** Under what a conversation's permissions are kept. */
export const PERMISSIONS = 'agent_permissions';

const MAX_WHAT_CHARS = 400;
const MAX_GRANTED = 20;
/** Whoever allowed something meant what was going on then. */
const LAPSES_AFTER_MS = 24 * 3_600_000;

const subjectSchema = z.object({
  /** The tool's name. */
  agent: z.string(),
  /** Tells what exactly is to be done; another command is another key. */
  key: z.string(),
  /** Whose permission it is, or would be. */
  whom: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
const permissionsSchema = z.object({
  /** What somebody is being asked, with the id of the question. */
  asked: subjectSchema.extend({ question: z.string() }).nullable(),
  /** What was allowed and not yet done, newest last; each once. */
  granted: z.array(subjectSchema),
});

export type Subject = z.output<typeof subjectSchema>;
export type Permissions = z.output<typeof permissionsSchema>;

/** Reads what was kept; anything else grants nothing. */
export const readPermissions = (kept: unknown): Permissions =>
  permissionsSchema.safeParse(kept).data ?? { asked: null, granted: [] };

export const withGrant = (permissions: Permissions, { agent, key, whom }: Subject, at: number): Permissions => ({
  asked: null,
  granted: [...permissions.granted, { agent, key, whom, at }].slice(-MAX_GRANTED),
});

/** Uses a grant up; null when there is none. */
export function useGrant(permissions: Permissions, wanted: Subject): Permissions | null {
  const { agent, key, whom, at } = wanted;
  const index = permissions.granted.findIndex(
    (one) => one.agent === agent && one.key === key && one.whom === whom && at - one.at <= LAPSES_AFTER_MS,
  );
  return index === -1 ? null : { ...permissions, granted: permissions.granted.toSpliced(index, 1) };
}

/** What an agent wants to do. */
export interface Wanted {
  readonly key: string;
  /** On one line, for people. */
  readonly what: string;
}

export function wantedBy({ toolCall }: RequestPermissionRequest): Wanted {
  const { kind, title, rawInput, content, locations } = toolCall;
  const details = JSON.stringify([kind, title, rawInput, content, locations]);
  const name = title ?? kind ?? 'something it does not name';
  const input = rawInput === undefined || rawInput === null ? '' : ` ${JSON.stringify(rawInput)}`;
  return { key: createHash('sha256').update(details).digest('base64url'), what: oneLine(name + input, MAX_WHAT_CHARS) };
}

const READING: ReadonlySet<string> = new Set(['read', 'search', 'think']);

/** `ask`: the policy leaves it to the person. */
export function decide(policy: PermissionPolicy, { toolCall }: RequestPermissionRequest): 'allow' | 'refuse' | 'ask' {
  if (policy === 'ask') return 'ask';
  return policy === 'allow_read' && READING.has(toolCall.kind ?? 'other') ? 'allow' : 'refuse';
}

/** Allows it this once; never for good, and not at all where the agent offers nothing else. */
export const allowing = (options: readonly PermissionOption[]): RequestPermissionResponse =>
  choosing(options, 'allow_once');

export const refusing = (options: readonly PermissionOption[]): RequestPermissionResponse =>
  choosing(options, 'reject_once');

function choosing(options: readonly PermissionOption[], kind: PermissionOptionKind): RequestPermissionResponse {
  const option = options.find((one) => one.kind === kind);
  return {
    outcome: option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId },
  };
}
