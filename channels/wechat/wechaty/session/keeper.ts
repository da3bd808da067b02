import type { Clock } from '../../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../../src/base/errors.ts';
import type { Logger } from '../../../../src/base/logger.ts';
import { backoffMs } from '../../../../src/channel/backoff.ts';
import type { ChannelState, ConnectionStatus } from '../../../../src/channel/port.ts';
import { isOffline, lifeError, taskError } from '../errors.ts';
import { type Patience, STEADY_MS } from '../limits.ts';
import type { Person } from '../normalize/facts.ts';
import type { Heard } from '../normalize/index.ts';
import type { Fault, News, Outcomes, PuppetSettings, Task } from '../process/protocol.ts';
import type { BotProcess, Spawn } from './bot-process.ts';
import { Calls } from './calls.ts';
import { Watch } from './watch.ts';

export interface KeeperOptions {
  readonly settings: PuppetSettings;
  readonly spawn: Spawn;
  readonly patience: Patience;
  readonly clock: Clock;
  readonly log: Logger;
  /** Keeps the login. */
  readonly secrets: ChannelState;
  readonly report: (status: ConnectionStatus) => void;
  readonly onHeard: (heard: Heard) => void;
}

/** Under which the login lies among the channel's secrets. */
export const MEMORY_KEY = 'wechaty/memory';

const SCAN_HINT = 'Scan this with WeChat on the phone of the account that the bot is to use, and confirm there.';

/** Keeps a bot alive: starts its process, watches it, ends it when it is of no use any more, and starts another one. */
export class Keeper {
  readonly #options: KeeperOptions;
  #running: { readonly stopping: AbortController; readonly over: Promise<void> } | undefined;
  #bot: { readonly process: BotProcess; readonly calls: Calls } | undefined;
  #account: Person | undefined;
  #lastCode = '';
  readonly #waitingForLogin = new Set<() => void>();
  /** When the network failed last. */
  #offlineAt = Number.NEGATIVE_INFINITY;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Whom the bot plays; undefined while nobody is logged in. */
  get account(): Person | undefined {
    return this.#account;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Whom the bot plays, once it is logged in; undefined when somebody has to scan a code first, or it takes long. */
  async identify(): Promise<Person | undefined> {
    if (this.#account !== undefined || this.#lastCode !== '' || !this.isRunning) return this.#account;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waitingForLogin.add(resolve);
    const enough = setTimeout(resolve, this.#options.patience.probeMs);
    await promise;
    clearTimeout(enough);
    this.#waitingForLogin.delete(resolve);
    return this.#account;
  }

  /** Resolves when a bot runs or will be tried again; rejects when the settings are to blame. */
  async start(): Promise<void> {
    await this.stop();
    const stopping = new AbortController();
    const first = Promise.withResolvers<void>();
    this.#running = { stopping, over: this.#keepAlive(stopping.signal, first) };
    const enough = setTimeout(() => first.resolve(), this.#options.patience.firstAnswerMs);
    try {
      await first.promise;
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      clearTimeout(enough);
    }
  }

  async stop(): Promise<void> {
    this.#running?.stopping.abort();
    await this.#running?.over;
    this.#running = undefined;
    this.#endWaiting();
    await this.#saving;
  }

  #endWaiting(): void {
    for (const resolve of this.#waitingForLogin) resolve();
  }

  /** @throws AntlerError `unavailable` when no bot is logged in in this process */
  async perform<Asked extends Task>(task: Asked, signal?: AbortSignal): Promise<Outcomes[Asked['kind']]> {
    const { patience } = this.#options;
    const bot = this.#bot;
    if (bot === undefined || this.#account === undefined)
      throw new AntlerError('unavailable', 'WeChat: nobody is logged in in this process.', { retryable: true });
    const timeoutMs = task.kind === 'text' ? patience.textMs : patience.fileMs;
    try {
      return await bot.calls.ask(task, (order) => bot.process.send(order), timeoutMs, signal);
    } catch (error) {
      throw taskError(error, task.kind);
    }
  }

  /** Never rejects. */
  async #keepAlive(signal: AbortSignal, first: PromiseWithResolvers<void>): Promise<void> {
    const { clock, log, report } = this.#options;
    for (let failures = 0; !signal.aborted; ) {
      const began = performance.now();
      const end = await this.#live(signal, first.resolve);
      if (signal.aborted) break;
      failures = performance.now() - began > STEADY_MS ? 1 : failures + 1;
      const error = end instanceof AntlerError ? end : lifeError(end);
      log.warn({ code: error.code, problem: error.message, failures }, 'the bot of wechaty ended');
      report({ state: 'failing', problem: error.message });
      if (error.code === 'unauthorized' || error.code === 'config_invalid') first.reject(error);
      else first.resolve();
      await clock.sleep(backoffMs(failures), signal).catch(() => {}); // stopped
    }
    first.resolve();
  }

  /** One bot from beginning to end. Never rejects; returns why it ended. */
  async #live(signal: AbortSignal, onStarted: () => void): Promise<Fault | AntlerError> {
    const { spawn, settings, patience, secrets, report } = this.#options;
    const { promise: ended, resolve: end } = Promise.withResolvers<Fault>();
    const abort = (): void => end({ message: 'stopped' });
    signal.addEventListener('abort', abort, { once: true });
    const calls = new Calls();
    const watch = new Watch(patience, (message) => end({ message }));
    let process: BotProcess | undefined;
    let isCurrent = true;
    report({ state: 'connecting' });
    this.#lastCode = '';
    this.#offlineAt = Number.NEGATIVE_INFINITY;
    try {
      await this.#saving;
      const memory = await secrets.get(MEMORY_KEY);
      process = await spawn((news) => {
        if (!isCurrent) return; // said by a bot that has been given up
        watch.hear(news);
        if (news.kind === 'started') onStarted();
        else if (news.kind === 'dead') end(news.fault);
        else this.#hear(news, calls);
      });
      void process.over.then(() => end({ message: 'its process ended by itself' }));
      this.#bot = { process, calls };
      process.send({ kind: 'start', settings, memory, dingMs: patience.dingMs });
      return await ended;
    } catch (thrown) {
      return asAntlerError(thrown);
    } finally {
      isCurrent = false;
      this.#bot = undefined;
      this.#account = undefined;
      watch.stop();
      signal.removeEventListener('abort', abort);
      process?.kill();
      calls.lose();
      await process?.over;
    }
  }

  #hear(news: News, calls: Calls): void {
    const { log, report, onHeard } = this.#options;
    switch (news.kind) {
      case 'scan':
        this.#showCode(news);
        break;
      case 'login':
        this.#account = news.account;
        this.#endWaiting();
        log.info({ account: news.account.id }, 'logged in to WeChat');
        report({ state: 'connected' });
        break;
      case 'logout':
        this.#account = undefined;
        this.#lastCode = '';
        log.warn({}, 'WeChat logged the bot out');
        report({ state: 'failing', problem: 'WeChat logged the bot out; a QR code to scan follows.' });
        break;
      case 'message':
      case 'membership':
        onHeard(news);
        break;
      case 'request':
        log.info({ about: news.about }, 'somebody asks for what only the owner of the account decides about');
        break;
      case 'memory':
        this.#remember(news.memory);
        break;
      case 'trouble':
        if (isOffline(news.fault)) this.#offlineAt = performance.now();
        log.debug({ code: news.fault.code, problem: news.fault.message }, 'wechaty reports an error');
        break;
      case 'done':
      case 'failed':
        calls.answer(news);
        break;
      case 'started':
      case 'alive':
      case 'dead':
        break;
      default:
        news satisfies never;
    }
  }

  /** A puppet shows one code again and again; whoever is to scan it needs it once. */
  #showCode({ code, state }: News & { readonly kind: 'scan' }): void {
    const { log, report } = this.#options;
    if (state === 'scanned') log.info({}, 'the QR code was scanned and waits to be confirmed on the phone');
    if (state === 'cancelled') log.warn({}, 'the login was cancelled on the phone');
    if (state !== 'waiting' || code === this.#lastCode) return;
    this.#lastCode = code;
    this.#endWaiting();
    report({ state: 'login', qr: code, hint: SCAN_HINT });
  }

  /**
   * wechat4u takes a network that fails for a logout and forgets the login, which WeChat would still take when the
   * network is back. If it is really over, the next attempt finds out, and forgets it without an error.
   */
  #remember(memory: string): void {
    const { secrets, log, patience } = this.#options;
    if (memory === '{}' && performance.now() - this.#offlineAt < patience.offlineMs) return;
    this.#saving = this.#saving
      .then(() => secrets.set(MEMORY_KEY, memory))
      .catch((error: unknown) => log.error({ err: error }, 'the login could not be kept; it is needed anew next time'));
  }
}
