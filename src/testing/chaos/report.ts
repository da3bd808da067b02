import { machineText } from '../bench/machine.ts';
import type { Machine } from '../bench/results.ts';
import { quantile } from '../bench/statistics.ts';
import type { Plan } from './plan.ts';
import type { Outcome, SideOutcome } from './storm.ts';

/** What happened, as lines for the terminal. */
export function report(plan: Plan, outcome: Outcome): string {
  const lines = [
    ...rowsOf(plan, outcome).map(([name, value]) => [name, value]),
    ['', ...outcome.sides.map(({ side }) => side.name)],
    ...sideRows.map(([name, value]) => [name, ...outcome.sides.map((one) => value(one))]),
  ];
  const width = Math.max(...lines.map(([name = '']) => name.length));
  return lines.map(([name = '', ...values]) => [name.padEnd(width), ...values].join('  ')).join('\n');
}

/** The part of the page about it. */
export function toMarkdown(plan: Plan, outcome: Outcome, machine: Machine, at: Date): string {
  const rows = rowsOf(plan, outcome).map(([name, value]) => `| ${name} | ${value} |`);
  const platforms = outcome.sides.map(({ side }) => side.name);
  const perPlatform = sideRows.map(
    ([name, value]) => `| ${name} | ${outcome.sides.map((one) => value(one)).join(' | ')} |`,
  );
  return `## Under chaos

Measured by \`npm run test:chaos\` on ${at.toISOString().slice(0, 10)}, which writes this part. ${machineText(machine)}

| figure | measured |
| --- | --- |
${rows.join('\n')}

| messages | ${platforms.join(' | ')} |
| --- |${' --- |'.repeat(platforms.length)}
${perPlatform.join('\n')}

- The whole product as real processes; people, platforms and model are simulated; everything is counted by what people see
  on the platforms at the end. What was killed is started again at once;
  nothing is killed while less than half of the processes are up.
- Supervised workers are the children of \`antler worker --processes\`, which hands over what a killed one had in hand;
  what the others had is taken over when their leases run out.
- “Uncertain” is an answer whose sender died, or whose connection was cut, before the platform had answered. Telegram
  knows no repeated message, so it is held for an admin instead of being said twice; whether it did arrive, nobody but
  the people in the chat can tell. Feishu knows a message again by its \`uuid\`, so there it is sent again and shown once.
- Most of those that were held and did not arrive had been taken from the outbox by a gateway that was killed before it
  heard so. Another mark in Redis before the call would not tell them apart: its answer can be lost in just the same way.
- “Other words” are notes that an answer may not have arrived.
- Feishu tells again of what was not acknowledged, behind what was said later; so people there wait for an answer before
  they go on, while those on Telegram write up to six messages in a row.`;
}

type Row = readonly [name: string, value: string];

function rowsOf(plan: Plan, outcome: Outcome): readonly Row[] {
  const { kills, stormMs, answeredAfterMs } = outcome;
  const killed = kills.gateway + kills.worker + kills.crew;
  const after = (share: number): string => seconds(quantile(answeredAfterMs, share));
  return [
    [
      'processes',
      `${plan.gateways} gateways, ${plan.workers} workers, ${plan.supervised} supervised workers; Redis, PostgreSQL; ${plan.bots} Telegram bots, ${plan.apps} Feishu apps`,
    ],
    ['storm', `${seconds(stormMs)}, last answer after ${seconds(outcome.tookMs)}`],
    [
      'killed (SIGKILL)',
      `${killed} processes (gateways ${kills.gateway}, workers ${kills.worker}, supervised workers ${kills.crew}), one every ${seconds(stormMs / killed)} (${seconds(plan.killEveryMs)} planned)`,
    ],
    ['Redis killed, restarted', String(outcome.redisRestarts)],
    ['updates delivered twice', String(outcome.redelivered)],
    ['messages of the bots', String(outcome.answers)],
    ['answered after', `median ${after(0.5)}, 95 % ${after(0.95)}, 99 % ${after(0.99)}, all ${after(1)}`],
    ['starts that failed', String(outcome.exits)],
  ];
}

const sideRows: readonly (readonly [name: string, value: (side: SideOutcome) => string])[] = [
  ['asked', ({ verdict }) => String(verdict.asked)],
  ['answered', ({ verdict }) => String(verdict.answered)],
  ['answers to sends cut off', ({ dropped }) => String(dropped)],
  ['sent again, shown once', ({ side, repeats }) => (side.knowsRepeats ? String(repeats) : 'impossible')],
  ['lost', ({ verdict }) => String(verdict.lost.length)],
  ['answered twice', ({ verdict }) => String(verdict.twice.length)],
  ['chats out of order', ({ verdict }) => String(verdict.disordered.length)],
  ['given up', ({ verdict }) => String(verdict.dead)],
  ['uncertain, held', ({ verdict }) => `${verdict.uncertain} (and ${verdict.uncertainButSeen} that did arrive)`],
  ['said after an orphaned stand', ({ verdict }) => String(verdict.afterOrphan)],
  ['other words of the bots', ({ verdict }) => String(verdict.otherWords)],
];

/** The checks by name; true when it held. */
export function checks({ sides, redisRestarts }: Outcome, plan: Plan): readonly (readonly [string, boolean])[] {
  const every = (holds: (side: SideOutcome) => boolean): boolean => sides.every(holds);
  const asked = sides.reduce((sum, { verdict }) => sum + verdict.asked, 0);
  return [
    ['everything was said', asked === plan.chats * plan.messagesPerChat],
    ['nothing lost', every(({ verdict }) => verdict.lost.length === 0)],
    ['nothing answered twice', every(({ verdict }) => verdict.twice.length === 0)],
    ['every chat in order', every(({ verdict }) => verdict.disordered.length === 0)],
    ['nothing given up', every(({ verdict }) => verdict.dead === 0)],
    [
      'nothing left in doubt where the platform knows repeats',
      every(({ side, verdict }) => !side.knowsRepeats || verdict.uncertain + verdict.uncertainButSeen === 0),
    ],
    ['Redis was restarted as often as planned', redisRestarts === plan.redisRestarts],
  ];
}

/** The first few of each fault, to begin the search with. */
export function details({ sides }: Outcome): string {
  return sides.flatMap(({ side, verdict }) => faultsOf(verdict).map((fault) => `${side.name}: ${fault}`)).join('\n');
}

function faultsOf({ lost, twice, disordered }: SideOutcome['verdict']): readonly string[] {
  const some = (numbers: readonly number[]): string => numbers.slice(0, 20).join(', ');
  return [
    ...(lost.length > 0 ? [`lost: ${some(lost)}`] : []),
    ...(twice.length > 0 ? [`answered twice: ${some(twice)}`] : []),
    ...disordered
      .slice(0, 5)
      .map(
        ({ asked, answers }) =>
          `asked ${asked.join(' ')}, answered ${answers.map(({ numbers }) => numbers.join(' ')).join(' | ')}`,
      ),
  ];
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
