/** Asked of a child process: run the scenario so many times on a log of so many messages. */
export interface Order {
  readonly messages: number;
  readonly runs: number;
}

/** What it answers: CPU of one step (user and system, all threads), in milliseconds. */
export interface Measured {
  readonly cpuMs: number;
}

/**
 * Reads a log of this length, as one that was never seen before; what it returns runs the scenario on it, and throws
 * when that went wrong. Only the run is measured.
 */
export type Prepare = (messages: number) => () => Promise<void>;

/** Serves orders until the process that sends them is gone. */
export function serveOrders(prepare: Prepare, steps: number): void {
  process.on('message', async ({ messages, runs }: Order) => {
    let micros = 0;
    for (let done = 0; done < runs; done++) {
      const run = prepare(messages);
      const before = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(before);
      micros += user + system;
    }
    process.send?.({ cpuMs: micros / 1000 / runs / steps } satisfies Measured);
  });
  process.once('disconnect', () => process.exit(0));
}
