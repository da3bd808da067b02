import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, exchange } from './exchange.ts';
import { type Memory, memoryOf } from './process-figures.ts';
import { cpuOf, type Subject, serverCpuOf } from './subject.ts';

/** What single messages, one at a time, cost a subject. */
export interface OneByOne {
  readonly exchanges: readonly Exchange[];
  /** Milliseconds of processor time a message: all its processes, and the servers that it works with. */
  readonly cpuMs: number;
  readonly serverCpuMs: number;
  /** After the last message, by process. */
  readonly memory: ReadonlyMap<string, Memory>;
}

/** Messages in a row to one subject: few enough that no rate limit of the platform is ever near. */
const ROUND = 10;
/** What a subject does later belongs to the round that caused it. */
const AFTER_ROUND_MS = 50;

/**
 * Measures all subjects in turns, a few messages each, so that whatever else this machine does meets them alike.
 * The first messages of each are not counted.
 */
export async function measureOneByOne(
  subjects: readonly Subject[],
  messages: number,
  warmUp: number,
): Promise<ReadonlyMap<Subject, OneByOne>> {
  const tallies = new Map(subjects.map((subject) => [subject, { exchanges: [] as Exchange[], cpu: 0, serverCpu: 0 }]));
  for (let done = -warmUp; done < messages; done += ROUND) {
    for (const [subject, tally] of tallies) {
      const [cpu, serverCpu] = [cpuOf(subject), serverCpuOf(subject)];
      const round: Exchange[] = [];
      for (let index = 0; index < ROUND; index++) round.push(await exchange(subject.stage, done + warmUp + index));
      await sleep(AFTER_ROUND_MS);
      if (done < 0) continue;
      tally.exchanges.push(...round);
      tally.cpu += cpuOf(subject) - cpu;
      tally.serverCpu += serverCpuOf(subject) - serverCpu;
    }
  }
  return new Map(
    [...tallies].map(([subject, { exchanges, cpu, serverCpu }]) => [
      subject,
      {
        exchanges,
        cpuMs: cpu / exchanges.length,
        serverCpuMs: serverCpu / exchanges.length,
        memory: memoryBy(subject),
      },
    ]),
  );
}

/** Memory of each process of a subject, now. */
export const memoryBy = ({ processes }: Subject): ReadonlyMap<string, Memory> =>
  new Map([...processes].map(([name, { pid }]) => [name, memoryOf(pid)]));
