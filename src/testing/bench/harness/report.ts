import { machineText } from '../machine.ts';
import type { Machine } from '../results.ts';
import { median } from '../statistics.ts';
import { STEPS } from './scenario.ts';
import type { SubjectName } from './subject.ts';

/** What one step may take, in milliseconds. */
const AIM_MS = 0.5;

/** CPU of a step in milliseconds, of every round, by side and length of the log. */
export type Figures = ReadonlyMap<SubjectName, ReadonlyMap<number, readonly number[]>>;

const TITLES: Readonly<Record<SubjectName, string>> = {
  antler: 'Antler, all its middlewares',
  langchain: '`langchain` `createAgent`, 8 middlewares',
  'langchain with a checkpointer': 'the same with `MemorySaver`',
  'langchain, bare': '`createAgent` alone',
};

export const isWithinAim = (figures: Figures): boolean =>
  [...(figures.get('antler') ?? [])].every(([, rounds]) => median(rounds) <= AIM_MS);

/** The part of the page about the harness. */
export function toMarkdown(figures: Figures, versions: string, machine: Machine, at: Date): string {
  const sizes = [...(figures.get('antler')?.keys() ?? [])];
  return `## The harness

Measured by \`npm run bench:harness\` on ${at.toISOString().slice(0, 10)}, which writes this part. ${machineText(machine)}

| CPU of a step, median of the rounds | ${sizes.map((size) => `log of ${size} messages`).join(' | ')} |
| --- | ${sizes.map(() => '---').join(' | ')} |
${rows(figures).join('\n')}
| Aim for Antler | ${sizes.map(() => `≤ ${AIM_MS} ms`).join(' | ')} |

- A step is one model call and one tool call; a run takes ${STEPS} of them and answers. The model is a script in the same process,
  for both sides, so that no network and no wire format is in the figures; Antler builds the whole request for it.
- Antler runs its default chain, without which it never runs, and emits every entry for its log. ${versions}; its middlewares
  are its own: summarization, context editing, system prompt, to-do list, limits on model and tool calls, retries of both.
- What a log holds before its newest summary is sent to no model, so Antler's step grows with what the model is shown (the
  newest 120 messages in the longest of these logs) and not with the log. The agent's state is its log: it carries all of it.
- Each side runs in a process of its own, in turns, and its processor time is the process's own count of user and
  system time over all of its threads.`;
}

function rows(figures: Figures): string[] {
  return [...figures].map(
    ([name, bySize]) => `| ${TITLES[name]} | ${[...bySize.values()].map((rounds) => ms(median(rounds))).join(' | ')} |`,
  );
}

/** The same for the terminal. */
export function summary(figures: Figures): string {
  return [...figures]
    .map(([name, bySize]) => {
      const cells = [...bySize].map(([size, rounds]) => `${size}: ${ms(median(rounds))}`);
      return `${name}: ${cells.join(', ')}`;
    })
    .join('\n');
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
