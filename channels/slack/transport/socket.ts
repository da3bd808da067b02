import { z } from 'zod';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { backoffMs } from '../../../src/channel/backoff.ts';
import { Lanes } from '../../../src/channel/lanes.ts';
import { persistently } from '../../../src/channel/persistently.ts';
import type { ConnectionStatus } from '../../../src/channel/port.ts';
import { appTokenError } from '../errors.ts';
import { HELLO_TIMEOUT_MS } from '../limits.ts';
import { type Handout, laneOf, typeOf } from '../normalize/handout.ts';
import type { Receive } from '../receive.ts';
import type { SocketSdk } from './sdk-socket.ts';

export interface SocketModeOptions {
  readonly dial: (signal: AbortSignal) => SocketSdk;
  readonly receive: Receive;
  readonly clock: Clock;
  readonly log: Logger;
  readonly report: (status: ConnectionStatus) => void;
  readonly signal: AbortSignal;
}

/** Why a connection is over. */
type Ending = 'broken' | 'refresh' | 'disabled' | 'crowded';

const LINK_DISABLED = 'Socket Mode is switched off for this app; switch it on on the app’s page, under Socket Mode.';
const TOO_MANY = 'Slack allows ten connections an app, and there are ten already.';

/** An app whose Socket Mode is switched off is asked again this often. */
const DISABLED_WAIT_MS = 60_000;

/** A connection that held for so long was a good one; one that ends sooner is not replaced at once for ever. */
const STEADY_MS = 10_000;

/**
 * Keeps one connection of Socket Mode until `signal` aborts; never rejects. An envelope is acknowledged once what is in
 * it is durable; before that Slack delivers it again, so whatever dies in between, nothing is lost.
 */
export async function hear(options: SocketModeOptions): Promise<void> {
  const { clock, log, report, signal } = options;
  const lanes = new Lanes();
  let failures = 0;
  while (!signal.aborted) {
    let waitMs = 0;
    try {
      const connection = await connect(options, lanes);
      if (failures > 0) log.info({ failures }, 'the connection to Slack works again');
      report({ state: 'connected' });
      const since = clock.now();
      const ending = await connection.over;
      const livedMs = clock.now() - since;
      if (livedMs >= STEADY_MS) failures = 0;
      if (signal.aborted || (ending === 'refresh' && livedMs >= STEADY_MS)) continue;
      failures += 1;
      waitMs = ending === 'disabled' ? DISABLED_WAIT_MS : backoffMs(failures);
      log.warn({ ending, livedMs }, 'the connection to Slack ended');
      if (ending !== 'refresh') report({ state: 'failing', problem: problems[ending] });
    } catch (thrown) {
      if (signal.aborted) break;
      const error = asAntlerError(thrown);
      failures += 1;
      waitMs = error.retryAfterMs ?? backoffMs(failures);
      log.warn({ code: error.code, problem: error.message, failures }, 'no connection to Slack');
      report({ state: 'failing', problem: error.message });
    }
    await clock.sleep(waitMs, signal).catch(() => {}); // stopped
  }
  await lanes.idle();
}

const problems: Readonly<Record<Exclude<Ending, 'refresh'>, string>> = {
  broken: 'The connection to Slack broke; trying on.',
  disabled: LINK_DISABLED,
  crowded: TOO_MANY,
};

/** Resolves once Slack has said hello. */
async function connect(options: SocketModeOptions, lanes: Lanes): Promise<{ readonly over: Promise<Ending> }> {
  const { dial, signal } = options;
  const socket = dial(signal);
  const over = Promise.withResolvers<Ending>();
  const handlers = new EnvelopeReader(options, lanes, socket, over.resolve);
  socket.onMessage((text) => handlers.read(text));
  socket.onClosed(() => over.resolve('broken'));
  const end = (): void => socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  const hello = setTimeout(end, HELLO_TIMEOUT_MS);
  try {
    await socket.start();
  } catch (thrown) {
    signal.removeEventListener('abort', end);
    throw dialError(thrown);
  } finally {
    clearTimeout(hello);
  }
  const settled = over.promise.finally(() => {
    signal.removeEventListener('abort', end);
    // What is still being stored is acknowledged on the connection that it came by, if it is quick.
    void handlers.idle().finally(end);
  });
  return { over: settled };
}

function dialError(thrown: unknown): AntlerError {
  // The SDK rejects with nothing at all when the socket closes before the hello.
  if (thrown === undefined)
    return new AntlerError('unavailable', 'Slack closed the connection at once.', { retryable: true });
  return appTokenError(thrown);
}

const messageShape = z.looseObject({
  type: z.string(),
  envelope_id: z.string().optional(),
  payload: z.unknown().optional(),
  reason: z.string().optional().catch(undefined),
});

const kinds: ReadonlyMap<string, Handout['kind']> = new Map([
  ['events_api', 'event'],
  ['interactive', 'interactive'],
  ['slash_commands', 'command'],
]);

/** After Slack has asked for another connection, so long may the last acknowledgements take. */
const DRAIN_MS = 3_000;

/** What intake refuses for a reason that does not pass is offered so often. */
const TRIES = 4;
/** What it refuses for a passing reason, for about ten minutes: Slack itself gives an event up after six. */
const TRIES_WHILE_AWAY = 25;

/** Slack repeats an event a few times only, so a longer outage of ours has to be sat out; what is given up is not acknowledged. */
const givesUp = ({ retryable }: AntlerError, attempt: number): boolean =>
  attempt >= (retryable ? TRIES_WHILE_AWAY : TRIES);

/** Reads what comes on one connection. */
class EnvelopeReader {
  readonly #options: SocketModeOptions;
  readonly #lanes: Lanes;
  readonly #socket: SocketSdk;
  readonly #end: (ending: Ending) => void;
  readonly #open = new Set<Promise<void>>();

  constructor(options: SocketModeOptions, lanes: Lanes, socket: SocketSdk, end: (ending: Ending) => void) {
    this.#options = options;
    this.#lanes = lanes;
    this.#socket = socket;
    this.#end = end;
  }

  /** Frames that are no envelope are nobody's business; they never end the connection. */
  read(text: string): void {
    const message = messageShape.safeParse(jsonOf(text));
    if (!message.success) return;
    const { type, envelope_id: id, payload, reason } = message.data;
    if (type === 'hello') this.#socket.greeted();
    else if (type === 'disconnect') this.#end(endings.get(reason ?? '') ?? 'refresh');
    else if (id !== undefined) this.#accept(id, type, payload);
  }

  /** Resolves when all that came is stored or given up, or after a moment. */
  async idle(): Promise<void> {
    if (this.#open.size === 0) return;
    const patience = new AbortController();
    const long = this.#options.clock.sleep(DRAIN_MS, patience.signal).catch(() => {}); // not needed any more
    await Promise.race([Promise.all(this.#open), long]);
    patience.abort();
  }

  #accept(id: string, type: string, payload: unknown): void {
    const kind = kinds.get(type);
    const acknowledge = (answer?: object): void => {
      this.#socket.send(JSON.stringify({ envelope_id: id, ...(answer === undefined ? {} : { payload: answer }) }));
    };
    if (kind === undefined) {
      acknowledge(); // new to us, so it cannot be used however often it comes
      return;
    }
    const handout: Handout = { kind, body: payload };
    const job = this.#lanes.run(laneOf(handout), async () => {
      const { receive, clock, log, signal } = this.#options;
      const about = { type: typeOf(handout) };
      const offered = await persistently(() => receive(handout), { about, givesUp, clock, log, signal });
      if (offered.kind === 'taken') acknowledge(offered.value.answer);
    });
    const tracked = job.catch((error: unknown) =>
      this.#options.log.error({ err: error }, 'an envelope could not be taken in'),
    );
    this.#open.add(tracked);
    void tracked.finally(() => this.#open.delete(tracked));
  }
}

const endings: ReadonlyMap<string, Ending> = new Map([
  ['link_disabled', 'disabled'],
  ['too_many_websockets', 'crowded'],
]);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
