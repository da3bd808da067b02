import { AntlerError } from '../base/errors.ts';
import type { ImUserKey } from '../base/ids.ts';
import { isRole, ROLES } from '../base/roles.ts';
import type { Register } from '../people/register.ts';
import type { ExplainQuestion, Explanation } from '../routing/explain.ts';
import type { Source, Tried } from '../routing/port.ts';
import type { AuditEntry, ImUser } from '../store/port.ts';
import type { PeopleCommand } from './commands.ts';
import { columns, type Report } from './operate/report.ts';

export interface PeopleOptions {
  readonly command: PeopleCommand;
  /** The word behind the command; empty where it takes none. */
  readonly operand: string;
  readonly limit?: number | undefined;
  /** What the message says that is to be explained. */
  readonly text?: string | undefined;
  readonly json?: boolean | undefined;
  readonly register: Register;
  readonly explain: (question: ExplainQuestion) => Promise<Explanation>;
  readonly print: (text: string) => void;
}

const DEFAULT_LIMIT = 20;
/** Who does what is done at this terminal, in the audit. */
const BY = 'cli';

/** `antler people …`, `antler config explain`. Rejects with an `AntlerError` that says what to do. */
export async function runPeople({ json = false, print, ...options }: PeopleOptions): Promise<void> {
  const report = await reportOn(options);
  print(json ? JSON.stringify(report.json, null, 2) : report.lines.join('\n'));
}

async function reportOn({
  command,
  operand,
  limit = DEFAULT_LIMIT,
  text = '',
  register,
  explain,
}: Omit<PeopleOptions, 'json' | 'print'>): Promise<Report> {
  switch (command) {
    case 'people list':
      return listReport(await register.list({ limit }));
    case 'people role': {
      const [key, role] = pairIn(operand, 'KEY=ROLE');
      if (role !== 'none' && !isRole(role))
        throw new AntlerError('bad_input', `There is no role ${role}; there are ${ROLES.join(', ')}, and none.`);
      const user = await register.grant(keyIn(key), role === 'none' ? null : role, BY);
      return {
        lines: [`${nameOf(user)} has ${user.role === null ? 'no granted role' : `the role ${user.role}`}.`],
        json: user,
      };
    }
    case 'people link': {
      const [one, other] = pairIn(operand, 'KEY=KEY').map(keyIn) as [ImUserKey, ImUserKey];
      await register.link(one, other, BY);
      return { lines: [`${one} and ${other} are one person.`], json: { one, other } };
    }
    case 'people unlink': {
      const key = keyIn(operand);
      await register.unlink(key, BY);
      return { lines: [`${key} is a person of its own.`], json: { key } };
    }
    case 'people audit':
      return auditReport(await register.audit(limit));
    case 'config explain':
      return explainReport(await explain({ ...placeIn(operand), text }));
    default:
      return command satisfies never;
  }
}

function pairIn(operand: string, shape: string): [string, string] {
  const [, left = '', right = ''] = /^([^=]+)=(.+)$/.exec(operand) ?? [];
  if (right === '') throw new AntlerError('bad_input', `expected ${shape}; "antler people" shows the keys`);
  return [left, right];
}

function keyIn(typed: string): ImUserKey {
  if (typed.split('/').length !== 3)
    throw new AntlerError('bad_input', `${typed} is no key such as slack/T012/U345; "antler people" shows the keys`);
  return typed as ImUserKey;
}

function placeIn(operand: string): Pick<ExplainQuestion, 'channel' | 'chat' | 'user'> {
  const parts = operand.split('/').map(decoded);
  const [channel = '', ...rest] = parts;
  const user = rest.pop();
  if (user === undefined || rest.length > 1 || parts.includes(''))
    throw new AntlerError('bad_input', 'expected CHANNEL/USER or CHANNEL/CHAT/USER');
  return { channel, user, chat: rest[0] };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
const nameOf = ({ key, name }: ImUser): string => (name === '' ? key : `${name} (${key})`);

function listReport(users: readonly ImUser[]): Report {
  const sizes = new Map<string, number>();
  for (const { person } of users) sizes.set(person, (sizes.get(person) ?? 0) + 1);
  const rows = users.map(({ key, name, role, isBot, lastSeenAt, person }) => [
    key,
    name,
    isBot ? 'bot' : (role ?? ''),
    day(lastSeenAt),
    (sizes.get(person) ?? 0) > 1 ? `linked: ${person.slice(-6)}` : '',
  ]);
  return { lines: users.length === 0 ? ['Nobody has written to the bot yet.'] : columns(rows), json: users };
}

function auditReport(entries: readonly AuditEntry[]): Report {
  const rows = entries.map(({ at, actor, action, subject, details }) => [
    day(at),
    actor,
    action,
    subject,
    JSON.stringify(details),
  ]);
  return { lines: entries.length === 0 ? ['Nothing was changed yet.'] : columns(rows), json: entries };
}

const ACCESS: Readonly<Record<Explanation['access'], string>> = {
  allow: 'is answered',
  bot: 'is answered within the limits for bots',
  pair: 'gets a pairing code',
  refuse: 'is told that they may not write',
  ignore: 'is ignored',
};

function explainReport(explanation: Explanation): Report {
  const { access, role, roleFrom, route, settings } = explanation;
  const assistant = route.assistantId;
  return {
    lines: [
      `This sender ${ACCESS[access]}; role ${role} (${roleFrom}).`,
      assistant === null
        ? 'No assistant that they may use answers here.'
        : `The assistant ${assistant.value} answers: ${sourceOf(assistant.source)}.`,
      ...columns(
        Object.entries(settings)
          .filter(([key]) => key !== 'assistantId')
          .map(([key, { value, source }]) => [`  ${key}`, String(value), sourceOf(source)]),
      ),
      ...route.refused.map(
        ({ setting, name, source }) =>
          `Passed over: ${setting} ${name} (${sourceOf(source)}), which ${role} may not use.`,
      ),
      ...route.tried.map(triedLine),
    ],
    json: explanation,
  };
}

const WORDS = {
  choice: 'somebody chose it here',
  user: 'said of this person',
  chat: 'said of this chat',
  channel: 'said of the channel',
  default: 'the default',
} as const;

const sourceOf = (source: Source): string =>
  source.from === 'rule' ? `rule ${source.rule + 1} of routing` : WORDS[source.from];

function triedLine({ rule, why }: Tried): string {
  const name = `Rule ${rule + 1} of routing`;
  if (why === null) return `${name} fits.`;
  return why === 'after another' ? `${name} would fit, but comes later.` : `${name} does not fit: ${why}.`;
}
