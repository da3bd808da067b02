import { WechatyFault } from '../errors.ts';
import { type Fault, faults, type News, type Order, type Outcomes, type Task } from '../process/protocol.ts';

/** What was asked of a bot and is not answered yet. */
export class Calls {
  readonly #waiting = new Map<number, { resolve(outcome: unknown): void; reject(error: Error): void }>();
  #last = 0;

  /**
   * Asks for something and waits for what comes of it.
   * @throws WechatyFault also when the bot is lost meanwhile, or does not answer in time: it may have been done then
   */
  async ask<Asked extends Task>(
    task: Asked,
    send: (order: Order) => void,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<Outcomes[Asked['kind']]> {
    signal?.throwIfAborted();
    const call = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(call, { resolve, reject });
    const fail = (code: string, message: string): void => reject(new WechatyFault({ code, message }));
    const timer = setTimeout(fail, timeoutMs, faults.late, `no answer within ${timeoutMs} ms`);
    const abort = (): void => fail(faults.late, 'nobody waits for the answer any more');
    signal?.addEventListener('abort', abort, { once: true });
    try {
      send({ kind: 'call', call, task });
      return (await promise) as Outcomes[Asked['kind']];
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#waiting.delete(call);
    }
  }

  answer(news: News & { readonly kind: 'done' | 'failed' }): void {
    const waiting = this.#waiting.get(news.call);
    if (news.kind === 'done') waiting?.resolve(news.outcome);
    else waiting?.reject(new WechatyFault(news.fault));
  }

  /** The bot is gone: what it was asked last may have been done or not. */
  lose(): void {
    const fault: Fault = { code: faults.lost, message: 'the bot ended before it answered' };
    for (const { reject } of this.#waiting.values()) reject(new WechatyFault(fault));
  }
}
