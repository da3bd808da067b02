import type { Broadcast } from '../../../src/channel/port.ts';

/** The number of a login that somebody types in, maybe at another replica than the one that logs in. */
export interface CodeDesk {
  /** To whichever replica logs in. */
  enter(code: string): void;
  /** Begins to listen; returns the function that ends it. */
  open(): () => void;
  /** What was typed in last, once. */
  take(): string | undefined;
  /** Resolves when there is something to take, or when `signal` aborts. */
  typed(signal: AbortSignal): Promise<void>;
}

export function codeDesk(broadcast: Broadcast, channel: string): CodeDesk {
  const topic = `wechat/${channel}/login-code`;
  let code: string | undefined;
  let arrived = Promise.withResolvers<void>();
  return {
    enter: (typed) => broadcast.publish(topic, typed),
    open: () =>
      broadcast.subscribe(topic, (typed) => {
        code = typed;
        arrived.resolve();
      }),
    take: () => {
      const taken = code;
      code = undefined;
      arrived = Promise.withResolvers();
      return taken;
    },
    typed: async (signal) => {
      if (code !== undefined || signal.aborted) return;
      const stopped = Promise.withResolvers<void>();
      const stop = (): void => stopped.resolve();
      signal.addEventListener('abort', stop, { once: true });
      await Promise.race([arrived.promise, stopped.promise]);
      signal.removeEventListener('abort', stop);
    },
  };
}
