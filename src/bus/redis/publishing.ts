import { ReplyError } from 'ioredis';
import type { Quiet } from '../../channel/busy.ts';
import type { NewInput, Published } from '../port.ts';
import { inputItem } from './codec.ts';
import { unavailable } from './connection.ts';
import { stateOf } from './inbox.ts';
import { list, number, type Reply, text } from './reply.ts';
import { replicated, runPromptly, type Wiring } from './wiring.ts';

/**
 * So many inputs go in one call: enough to share its cost, and little enough that of a large burst the next are put
 * together while Redis works at these.
 */
const MOST_TOGETHER = 16;

interface Pending {
  readonly words: readonly string[];
  readonly resolve: (answer: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores inputs and wakes their threads. What is published in one turn of the event loop goes to Redis together, in the
 * order in which it came; each input is stored or refused by itself.
 */
export class Publishing {
  readonly #wiring: Wiring;
  #pending: Pending[] = [];

  constructor(wiring: Wiring) {
    this.#wiring = wiring;
  }

  async publish(input: NewInput): Promise<Published> {
    const words = [input.thread, input.dedupeKey, inputItem(input), windowOf(input.quiet)];
    const answer = await new Promise<Reply>((resolve, reject) => {
      if (this.#pending.length === 0) process.nextTick(() => this.#flush());
      this.#pending.push({ words, resolve, reject });
      if (this.#pending.length >= MOST_TOGETHER) this.#flush();
    });
    const [status, seq, found] = list(answer);
    switch (status) {
      case 'full':
      case 'busy':
        return { status };
      case 'duplicate':
        await replicated(this.#wiring);
        return { status };
      case 'accepted': {
        if (this.#wiring.waitReplicas > 0) await replicated(this.#wiring);
        const state = stateOf(found);
        return { status, seq: number(seq), state: state === 'delayed' ? 'queued' : state };
      }
      default:
        throw unavailable(new ReplyError(text(seq)));
    }
  }

  #flush(): void {
    const batch = this.#pending;
    if (batch.length === 0) return;
    this.#pending = [];
    runPromptly(this.#wiring, 'publish', ...batch.flatMap(({ words }) => words)).then(
      (reply) => {
        const answers = list(reply);
        for (const [n, one] of batch.entries()) one.resolve(answers[n] ?? null);
      },
      (error: unknown) => {
        for (const one of batch) one.reject(error);
      },
    );
  }
}

/** The quiet window as the script reads it; nothing when there is none. */
function windowOf({ whenIdleMs, whenBusyMs, mostMs }: Quiet): string {
  const whole = (ms: number): number => Math.max(0, Math.ceil(ms));
  return whenIdleMs > 0 || whenBusyMs > 0 ? `${whole(whenIdleMs)} ${whole(whenBusyMs)} ${whole(mostMs)}` : '';
}
