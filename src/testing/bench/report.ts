import { machineText } from './machine.ts';
import type { Memory } from './process-figures.ts';
import type { Results, SubjectResults } from './results.ts';
import { median, quantile } from './statistics.ts';
import type { SubjectName } from './subject.ts';

/** What Antler wants to keep to. */
const aims = { startUpMs: 2_000, idleMb: 150, addedMs: 10, cpuMs: 20 } as const;

const titles: Readonly<Record<SubjectName, string>> = {
  embedded: 'Antler, embedded (one process, SQLite)',
  servers: 'Antler on Redis and PostgreSQL (a gateway and a worker)',
  reference: 'Reference: a bare bot',
};

/** The whole page. */
export function toMarkdown(results: Results): string {
  const { at, startUp, subjects } = results;
  const entries = [...subjects];
  return `${[
    '# Performance',
    `Measured by \`npm run bench\` on ${at.toISOString().slice(0, 10)}, which writes this page. ${machineText(results.machine)}`,
    '## Start-up and memory',
    table(
      ['figure', 'measured', 'aim'],
      [
        [
          `start of \`antler start\` → first page served, nothing configured (median of ${startUp.starts})`,
          seconds(startUp.warmMs),
          `< ${seconds(aims.startUpMs)}`,
        ],
        ['the same without a compile cache, as at the very first start', seconds(startUp.coldMs), ''],
        ['resident when idle, nothing configured', memoryText(startUp.idle), `< ${aims.idleMb} MB`],
        ...entries.flatMap(([name, { idle, memory, exchanges }]) =>
          [...idle].map(([process, before]) => [
            `resident when idle, connected to Telegram: ${processTitle(name, process)}`,
            `${memoryText(before)}; after ${exchanges.length} messages ${memoryText(memory.get(process))}`,
            name === 'reference' ? '' : `< ${aims.idleMb} MB when idle`,
          ]),
        ),
      ],
    ),
    'Resident memory counts shared pages in full; in parentheses by their share (PSS). The very first start on a machine, which compiles, takes some 30 MB more.',
    '## What is added to a message',
    table(
      [
        '',
        'event → model request',
        'last model byte → send',
        'together',
        'CPU a message',
        'CPU of Redis and PostgreSQL',
      ],
      [
        ...entries.map(([name, one]) => [
          titles[name],
          ...partsOf(one).map(spread),
          milliseconds(one.cpuMs),
          one.serverCpuMs > 0 ? milliseconds(one.serverCpuMs) : '',
        ]),
        ['Aim', '', '', `< ${aims.addedMs} ms`, `< ${aims.cpuMs} ms`, ''],
      ],
    ),
    `Median / 95th percentile of ${entries[0]?.[1].exchanges.length ?? 0} messages, one at a time, each in a new private chat. ${ratiosText(subjects)}`,
    '## A burst',
    table(
      ['', 'answered', 'twice', 'median answer after', 'last answer after', 'refused by Telegram', 'model calls'],
      entries.map(([name, { burst }]) => [
        titles[name],
        `${burst.answered} of ${burst.messages}`,
        String(burst.duplicates),
        seconds(burst.medianMs),
        burst.answered === 0 ? '' : seconds(burst.lastMs),
        String(burst.refused),
        String(burst.modelCalls),
      ]),
    ),
    burstText(entries[0]?.[1]),
    howText,
  ].join('\n\n')}\n`;
}

/** The same in a few lines, for the terminal. */
export function summary({ startUp, subjects }: Results): string {
  const lines = [
    `start-up: ${seconds(startUp.warmMs)} (${seconds(startUp.coldMs)} without a compile cache), idle ${memoryText(startUp.idle)}`,
  ];
  for (const [name, one] of subjects) {
    const [into = '', out = '', together = ''] = partsOf(one).map(spread);
    const memory = [...one.idle].map(
      ([process, idle]) => `${process} ${memoryText(idle)} → ${memoryText(one.memory.get(process))}`,
    );
    lines.push(
      `${name}: in ${into}, out ${out}, together ${together}; CPU ${milliseconds(one.cpuMs)} + ${milliseconds(one.serverCpuMs)} of servers`,
      `  ${memory.join(', ')}`,
      `  burst: ${one.burst.answered} of ${one.burst.messages} answered, ${one.burst.duplicates} twice, ${seconds(one.burst.lastMs)}, ${one.burst.refused} refused`,
    );
  }
  return lines.join('\n');
}

/** In, out, and both together, of every message. */
function partsOf({ exchanges }: SubjectResults): readonly (readonly number[])[] {
  return [
    exchanges.map(({ inMs }) => inMs),
    exchanges.map(({ outMs }) => outMs),
    exchanges.map(({ inMs, outMs }) => inMs + outMs),
  ];
}

function ratiosText(subjects: Results['subjects']): string {
  const reference = subjects.get('reference');
  if (reference === undefined) return '';
  const added = (one: SubjectResults): number => median(partsOf(one)[2] ?? []);
  const ratios = [...subjects].flatMap(([name, one]) => {
    if (name === 'reference') return [];
    const [time, cpu] = [added(one) / added(reference), one.cpuMs / reference.cpuMs];
    return [
      `${time.toFixed(1)} times its milliseconds and ${cpu.toFixed(1)} times its CPU ${name === 'embedded' ? 'when embedded' : 'on Redis and PostgreSQL'}`,
    ];
  });
  return `Compared with the bare bot, Antler takes ${ratios.join(', and ')}; for that it stores every message before it acknowledges it, keeps the conversation, and sends through an outbox.`;
}

function burstText(one: SubjectResults | undefined): string {
  const { messages = 0, chats = 0 } = one?.burst ?? {};
  return (
    `${messages} messages to ${chats} chats at the same moment. The simulated Telegram refuses what is too fast by its published ` +
    'limits (30 messages a second in all, about one a second in a chat), which bounds the time; a chat whose messages come ' +
    'together gets one answer to several of them, hence fewer model calls than messages. The bare bot does not send again what was refused.'
  );
}

const howText = `## How it is measured, and how to repeat it

- \`npm run bench\` takes about two minutes and needs Linux, Redis and PostgreSQL (which \`npm test\` installs on Debian);
  \`npm run bench -- --quick\` takes fewer samples, only prints, and leaves this page alone.
- Antler runs as \`npm start\` runs it, with the same options of Node, on loopback, against a simulated Telegram (long polling) and a
  simulated model that answers at once in one piece; both live in the benchmark's process and note the times.
- “Event → model request” begins when the message exists at the platform and ends when the request's headers have
  reached the model; “last model byte → send” ends when the headers of \`sendMessage\` have reached Telegram.
- The paths take turns, ten messages each, so that whatever else the machine does meets all of them alike. Warm-up
  messages are not counted. PostgreSQL syncs each commit, Redis its append-only file every second.
- CPU is user and system time of all processes of the path, from \`/proc/<pid>/stat\`, over all messages.
- The bare bot is telegraf's own polling and one \`openai\` call a message, without streaming, history or storage.`;

function processTitle(name: SubjectName, process: string): string {
  return name === 'reference' ? 'the bare bot' : `\`antler ${process}\``;
}

const spread = (values: readonly number[]): string =>
  `${quantile(values, 0.5).toFixed(1)} / ${quantile(values, 0.95).toFixed(1)} ms`;
const milliseconds = (value: number): string => `${value.toFixed(1)} ms`;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
const memoryText = (memory: Memory | undefined): string =>
  memory === undefined ? '' : `${memory.rssMb.toFixed(0)} MB (${memory.pssMb.toFixed(0)})`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
