import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Measured, Order } from './measured.ts';

export const SUBJECTS = ['antler', 'langchain', 'langchain with a checkpointer', 'langchain, bare'] as const;
export type SubjectName = (typeof SUBJECTS)[number];

/** A process of its own that runs the scenario on order: what one side compiles and collects touches no other. */
export interface Subject {
  readonly name: SubjectName;
  measure(order: Order): Promise<Measured>;
  stop(): void;
}

const SCRIPTS: Readonly<Record<SubjectName, readonly [script: string, ...args: string[]]>> = {
  antler: ['antler.child.ts'],
  langchain: ['langchain.child.ts', 'middlewares'],
  'langchain with a checkpointer': ['langchain.child.ts', 'checkpointer'],
  'langchain, bare': ['langchain.child.ts', 'bare'],
};

export function startSubject(name: SubjectName): Subject {
  const [script, ...args] = SCRIPTS[name];
  const { PATH = '', HOME = '' } = process.env;
  // Without telemetry of its own, which its environment may switch on.
  const child = fork(join(import.meta.dirname, script), args, { env: { PATH, HOME }, stdio: ['ignore', 2, 2, 'ipc'] });
  return {
    name,
    measure: async (order) => {
      child.send(order);
      return await answerOf(child, name);
    },
    stop: () => void child.kill(),
  };
}

async function answerOf(child: ChildProcess, name: string): Promise<Measured> {
  const over = new AbortController();
  const { signal } = over;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([answer]: Measured[]) => answer as Measured),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`${name} ended with code ${code}`);
      }),
    ]);
  } finally {
    over.abort();
  }
}
