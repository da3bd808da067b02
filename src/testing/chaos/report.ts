import { machineText } from '../bench/machine.ts';
import type { Machine } from '../bench/results.ts';
import { quantile } from '../bench/statistics.ts';
import type { Plan } from './plan.ts';
import type { Outcome } from './storm.ts';

/** What happened, as lines for the terminal. */
export function report(plan: Plan, outcome: Outcome): string {
  const rows = rowsOf(plan, outcome);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

/** The part of the page about it. */
export function toMarkdown(plan: Plan, outcome: Outcome, machine: Machine, at: Date): string {
  const rows = rowsOf(plan, outcome).map(([name, value]) => `| ${name} | ${value} |`);
  return `## Under chaos

Measured by \`npm run test:chaos\` on ${at.toISOString().slice(0, 10)}, which writes this part. ${machineText(machine)}

| figure | measured |
| --- | --- |
${rows.join('\n')}

- The whole product as real processes; people, platform and model are simulated; everything is counted by what people see
  on the platform at the end. What was killed is started again at once;
  nothing is killed while less than half of the processes are up.
- “Uncertain” is an answer whose sender died, or whose connection was cut, before the platform had answered. Telegram
  knows no repeated message, so it is held for an admin instead of being said twice.
- “Other words” are notes that an answer may not have arrived.`;
}

type Row = readonly [name: string, value: string];

function rowsOf(plan: Plan, outcome: Outcome): readonly Row[] {
  const { verdict } = outcome;
  return [
    ['processes', `${plan.gateways} gateways, ${plan.workers} workers; Redis, PostgreSQL; ${plan.bots} Telegram bots`],
    ['storm', `${seconds(outcome.stormMs)}, last answer after ${seconds(outcome.tookMs)}`],
    [
      'killed (SIGKILL)',
      `${outcome.kills} processes, one every ${seconds(outcome.stormMs / outcome.kills)} (${seconds(plan.killEveryMs)} planned)`,
    ],
    ['Redis killed, restarted', String(outcome.redisRestarts)],
    ['updates delivered twice', String(outcome.redelivered)],
    ['answers to sends cut off', String(outcome.dropped)],
    ['messages', `${verdict.asked} in ${plan.chats} chats, answered by ${outcome.answers} messages of the bots`],
    ['answered', String(verdict.answered)],
    [
      'answered after',
      `median ${seconds(quantile(outcome.answeredAfterMs, 0.5))}, 95 % ${seconds(quantile(outcome.answeredAfterMs, 0.95))}, 99 % ${seconds(quantile(outcome.answeredAfterMs, 0.99))}, all ${seconds(Math.max(...outcome.answeredAfterMs))}`,
    ],
    ['lost', String(verdict.lost.length)],
    ['answered twice', String(verdict.twice.length)],
    ['chats out of order', String(verdict.disordered.length)],
    ['given up', String(verdict.dead)],
    ['uncertain, held', `${verdict.uncertain} (and ${verdict.uncertainButSeen} that did arrive)`],
    ['said after an orphaned stand', String(verdict.afterOrphan)],
    ['other words of the bots', String(verdict.otherWords)],
    ['starts that failed', String(outcome.exits)],
  ];
}

/** The checks by name; true when it held. */
export function checks(outcome: Outcome, plan: Plan): readonly (readonly [string, boolean])[] {
  const { verdict } = outcome;
  return [
    ['everything was said', verdict.asked === plan.chats * plan.messagesPerChat],
    ['nothing lost', verdict.lost.length === 0],
    ['nothing answered twice', verdict.twice.length === 0],
    ['every chat in order', verdict.disordered.length === 0],
    ['nothing given up', verdict.dead === 0],
    ['Redis was restarted as often as planned', outcome.redisRestarts === plan.redisRestarts],
  ];
}

/** The first few of each fault, to begin the search with. */
export function details({ verdict }: Outcome): string {
  const some = (numbers: readonly number[]): string => numbers.slice(0, 20).join(', ');
  return [
    ...(verdict.lost.length > 0 ? [`lost: ${some(verdict.lost)}`] : []),
    ...(verdict.twice.length > 0 ? [`answered twice: ${some(verdict.twice)}`] : []),
    ...verdict.disordered
      .slice(0, 5)
      .map(
        ({ asked, answers }) =>
          `asked ${asked.join(' ')}, answered ${answers.map(({ numbers }) => numbers.join(' ')).join(' | ')}`,
      ),
  ].join('\n');
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
