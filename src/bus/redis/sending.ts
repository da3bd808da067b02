import { randomUUID } from 'node:crypto';
import { asAntlerError } from '../../base/errors.ts';
import { backoffMs } from '../backoff.ts';
import type { NewDelivery, NewDraft, Outgoing, SendingOptions, SendOutcome } from '../port.ts';
import { parseOutboxItem } from './codec.ts';
import { identityKey } from './identity.ts';
import { list, number, type Reply, text } from './reply.ts';
import { farewellMs, runPatiently, runPromptly, type Wiring } from './wiring.ts';
import { within } from './within.ts';

/** A push tells of new deliveries; this is for what a lost push would miss, in milliseconds. */
const SAFETY_POLL_MS = 1_000;
const AFTER_TROUBLE_MS = 300;
/** How long a process that closes goes on sending what is ready: a chat's limit of rate passes in this time. */
const PARTING_MS = 3_000;
/** A sender that gives no sign of life for this long is dead, however long a send may take, in milliseconds. */
const SILENCE_MS = 6_000;
/** Windows are kept a little longer than asked: what leaves evenly need not arrive evenly. */
const MARGIN = 1.05;

type Handler = (outgoing: Outgoing) => Promise<SendOutcome>;

interface Taken {
  readonly token: string;
  readonly channel: string;
  readonly place: string;
  readonly outgoing: Outgoing;
}

function parseTaken(reply: Reply): Taken {
  const [token, channel, place, kind, attempt, shownJson, item] = list(reply);
  const { enqueuedAt, body } = parseOutboxItem(text(item));
  const shown = text(shownJson) === '' ? [] : (JSON.parse(text(shownJson)) as string[]);
  return {
    token: text(token),
    channel: text(channel),
    place: text(place),
    outgoing:
      kind === 'draft'
        ? { kind, draft: body as NewDraft, shown }
        : { kind: 'delivery', delivery: body as NewDelivery, attempt: number(attempt), shown, enqueuedAt },
  };
}

/** Takes what is due from the outbox and hands it to the sender, one per chat at a time over all processes. */
export class Sending {
  readonly #wiring: Wiring;
  readonly #channels: readonly string[];
  readonly #handler: Handler;
  readonly #options: SendingOptions;
  /** At the front of all tokens; one process may send under one name several times. */
  readonly #id: string;
  readonly #inFlight = new Map<string, { readonly taken: Taken; readonly done: Promise<void> }>();
  readonly #deafen: readonly (() => void)[];
  readonly #loop: Promise<void>;
  readonly #leaseMs: number;
  readonly #keeper: NodeJS.Timeout;
  #requests = 0;
  #stopping = false;
  /** The process closes: when nothing becomes due before this, sending ends. */
  #partUntil: number | undefined;
  #poked = false;
  #wake: (() => void) | undefined;

  constructor(wiring: Wiring, channels: readonly string[], handler: Handler, options: SendingOptions, name: string) {
    this.#wiring = wiring;
    this.#id = `${identityKey(name)}:${randomUUID()}`;
    this.#channels = [...new Set(channels)];
    this.#handler = handler;
    this.#options = options;
    this.#leaseMs = Math.min(options.leaseMs, SILENCE_MS);
    this.#keeper = setInterval(() => void this.#keep(), this.#leaseMs / 3);
    this.#keeper.unref();
    this.#deafen = this.#channels.map((channel) =>
      wiring.signals.listen(`${wiring.base}wake:${channel}`, () => this.#poke()),
    );
    this.#loop = this.#channels.length === 0 ? Promise.resolve() : this.#run();
  }

  /** Takes nothing more; what is in flight goes on. */
  stop(): void {
    this.#stopping = true;
    for (const deafen of this.#deafen) deafen();
    this.#poke();
  }

  /** Resolves when it takes nothing any more and nothing is in flight. Never rejects. */
  async ended(): Promise<void> {
    await this.#loop;
    await Promise.all([...this.#inFlight.values()].map((flight) => flight.done));
    clearInterval(this.#keeper);
  }

  /**
   * Says what is ready to be said, waits up to `graceMs` for what is in flight, and reports the rest: it may or may not
   * have been sent.
   */
  async close(graceMs: number): Promise<void> {
    const closingAt = performance.now();
    const partingMs = this.#stopping ? 0 : Math.min(graceMs, PARTING_MS);
    this.#partUntil = closingAt + partingMs;
    this.#poke();
    await within(this.#loop, partingMs);
    this.stop();
    const landed = await within(this.ended(), Math.max(0, closingAt + graceMs - performance.now()));
    clearInterval(this.#keeper);
    if (landed) return;
    const reports = [...this.#inFlight.values()].map(({ taken }) => this.#giveUp(taken));
    await within(Promise.all(reports), farewellMs(this.#wiring));
  }

  /** Reports a send that nobody waits for any more. Whoever is handed it has said nothing of it. */
  async #giveUp(taken: Taken): Promise<void> {
    const error = 'The process stopped before the platform had answered.';
    const answer = await this.#report(taken, { kind: 'uncertain', error });
    if (answer === 'aside' && taken.outgoing.kind === 'delivery') await this.#tell([taken.outgoing.delivery]);
  }

  #poke(): void {
    this.#poked = true;
    this.#wake?.();
  }

  async #rest(ms: number): Promise<void> {
    if (this.#poked || ms <= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
    this.#wake = undefined;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const free = this.#options.concurrency - this.#inFlight.size;
      if (free <= 0) {
        await this.#rest(SAFETY_POLL_MS);
        this.#poked = false;
        continue;
      }
      this.#poked = false;
      try {
        const waitMs = await this.#take(free);
        if (this.#hasParted(waitMs)) return;
        await this.#rest(Math.min(waitMs, SAFETY_POLL_MS));
      } catch (thrown) {
        if (this.#stopping) return;
        this.#wiring.log.warn({ error: asAntlerError(thrown).message }, 'could not take deliveries');
        await this.#rest(AFTER_TROUBLE_MS);
      }
    }
  }

  #hasParted(waitMs: number): boolean {
    return this.#partUntil !== undefined && this.#inFlight.size === 0 && performance.now() + waitMs > this.#partUntil;
  }

  /** Returns how long there is nothing more to take, in milliseconds; infinity when nothing waits. */
  async #take(free: number): Promise<number> {
    const nonce = String(++this.#requests);
    const reply = await runPatiently(
      this.#wiring,
      'take',
      this.#id,
      nonce,
      free,
      this.#leaseMs,
      MARGIN,
      ...this.#channels,
    );
    const [waitMs, aside, ...taken] = list(reply);
    const doubted = list(aside).map((body) => JSON.parse(text(body)) as NewDelivery);
    if (doubted.length > 0)
      this.#wiring.log.warn({ deliveries: doubted.length }, 'deliveries whose sender did not report back');
    for (const one of taken) this.#start(parseTaken(one));
    await this.#tell(doubted);
    if (taken.length === free) return 0;
    return number(waitMs) < 0 ? Number.POSITIVE_INFINITY : number(waitMs);
  }

  async #tell(doubted: readonly NewDelivery[]): Promise<void> {
    const { onDoubt } = this.#options;
    if (onDoubt === undefined) return;
    for (const delivery of doubted)
      await onDoubt(delivery).catch((thrown: unknown) =>
        this.#wiring.log.warn({ delivery: delivery.id, error: asAntlerError(thrown).message }, 'a doubt was not told'),
      );
  }

  #start(taken: Taken): void {
    const done = this.#send(taken).catch((thrown: unknown) => {
      const { token, channel } = taken;
      this.#wiring.log.error({ token, channel, error: asAntlerError(thrown).message }, 'the result of a send is lost');
    });
    this.#inFlight.set(taken.token, { taken, done });
    // One that hangs must not keep its place in this process for ever.
    const expiry = setTimeout(() => this.#land(taken.token), this.#options.leaseMs);
    expiry.unref();
    void done.then(() => {
      clearTimeout(expiry);
      this.#land(taken.token);
    });
  }

  /** What is in flight stays ours while this process lives. */
  async #keep(): Promise<void> {
    const held = [...this.#inFlight.values()].flatMap(({ taken }) => [taken.channel, taken.place, taken.token]);
    if (held.length === 0) return;
    await runPromptly(this.#wiring, 'keep', this.#leaseMs, ...held).catch(() => {}); // the next sign of life may pass
  }

  #land(token: string): void {
    if (this.#inFlight.delete(token)) this.#poke();
  }

  async #send(taken: Taken): Promise<void> {
    let outcome: SendOutcome;
    try {
      outcome = await this.#handler(taken.outgoing);
    } catch (thrown) {
      // It may have been thrown after the request went out.
      outcome = { kind: 'uncertain', error: asAntlerError(thrown).message };
    }
    await this.#report(taken, outcome);
  }

  async #report({ token, channel, place, outgoing }: Taken, outcome: SendOutcome): Promise<Reply> {
    if (this.#wiring.patient.status === 'end') return null;
    const { kind } = outcome;
    const shown = 'shown' in outcome && outcome.shown !== undefined ? JSON.stringify(outcome.shown) : '';
    const attempt = outgoing.kind === 'delivery' ? outgoing.attempt : 0;
    // A sender that is never sure must not spin.
    const resendMs = kind === 'uncertain' ? backoffMs(attempt) : 0;
    const delayMs = kind === 'retry' ? Math.max(0, Math.ceil(outcome.delayMs)) : resendMs;
    const pause = kind === 'retry' ? (outcome.pause ?? '') : '';
    const error = kind === 'sent' ? '' : outcome.error;
    const args = [token, channel, place, kind, delayMs, pause, shown, error] as const;
    const answer = await runPatiently(this.#wiring, 'sent', ...args);
    if (answer === 'late') this.#wiring.log.warn({ channel, outcome: kind }, 'a send came back after its lease');
    return answer;
  }
}
