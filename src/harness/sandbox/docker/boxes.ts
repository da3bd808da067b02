import { setTimeout as delay } from 'node:timers/promises';
import type { Container } from 'dockerode';
import type { Clock } from '../../../base/clock.ts';
import { AntlerError } from '../../../base/errors.ts';
import { KeyedQueue } from '../../../base/keyed-queue.ts';
import type { Logger } from '../../../base/logger.ts';
import { type ContainerFor, containerSpec, LABELS } from './container-spec.ts';
import { type Engine, statusOf } from './engine.ts';
import type { Leases } from './leases.ts';
import type { SandboxSettings } from './settings.ts';

/** Containers of one process at once. */
const MAX_BOXES = 32;
/** A process that makes the same container has it running by then, or is in trouble. */
const OTHERS_MAKE_IT_MS = 10_000;
const GIVE_UP_MS = 30_000;
const LOOK_AGAIN_MS = 100;

interface Box {
  readonly container: Container;
  /** That it was made with. */
  readonly skills: string | null;
  /** Commands at work in it. */
  active: number;
  usedAt: number;
}

export type BoxFor = Omit<ContainerFor, 'imageId'>;

export interface BoxesOptions {
  readonly engine: Engine;
  readonly leases: Leases;
  readonly settings: SandboxSettings;
  readonly installation: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The containers of this process: made at the first command, kept warm while they are used, removed when they are idle.
 * Whoever uses one holds a lease on it; one that nobody live holds is an orphan, never used again and swept.
 */
export class Boxes {
  readonly #options: BoxesOptions;
  readonly #boxes = new Map<string, Box>();
  /** To acquire and to let go of one container never overlap. */
  readonly #turns = new KeyedQueue();
  /** Being acquired, whoever still waits for them. */
  readonly #coming = new Set<Promise<Box>>();
  #closed = false;

  constructor(options: BoxesOptions) {
    this.#options = options;
  }

  /**
   * Lends the owner's container. `work` says whether it is to be thrown away afterwards.
   * @throws AntlerError `cancelled`, at once, when `signal` aborts before there is one: it is made all the same, for the
   * next command. What the engine and `work` throw.
   */
  async use<Value>(
    wanted: BoxFor,
    signal: AbortSignal,
    work: (container: Container) => Promise<{ readonly value: Value; readonly isLost: boolean }>,
  ): Promise<Value> {
    const box = await this.#boxUnlessStopped(wanted, signal);
    try {
      const { value, isLost } = await work(box.container);
      if (isLost) await this.#throwAway(wanted.name, box);
      return value;
    } finally {
      box.active--;
      box.usedAt = this.#options.clock.now();
    }
  }

  async #boxUnlessStopped(wanted: BoxFor, signal: AbortSignal): Promise<Box> {
    if (signal.aborted) throw new AntlerError('cancelled', 'stopped');
    const coming = this.#turns.run(wanted.name, () => this.#acquire(wanted));
    this.#coming.add(coming);
    const { promise: stopped, resolve } = Promise.withResolvers<null>();
    const stop = (): void => resolve(null);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const box = await Promise.race([coming.finally(() => this.#coming.delete(coming)), stopped]);
      if (box !== null) return box;
    } finally {
      signal.removeEventListener('abort', stop);
    }
    void coming.then(
      (box) => {
        box.active--;
      },
      () => {}, // whoever asks next is told
    );
    throw new AntlerError('cancelled', 'stopped');
  }

  async #acquire(wanted: BoxFor): Promise<Box> {
    if (this.#closed) throw new AntlerError('cancelled', 'stopped');
    const known = this.#boxes.get(wanted.name);
    if (known !== undefined) {
      known.active++; // so that nobody takes it for idle while it is asked
      const runs = await isRunning(known.container).catch((thrown: unknown) => {
        known.active--;
        throw thrown;
      });
      // Other skills than it was made with are seen in a new one only; what is at work in this one is let finish.
      if (runs && (known.skills === wanted.skills || known.active > 1)) return known;
      known.active--;
      if (runs) await this.#letGo(wanted.name, known);
    }
    this.#boxes.delete(wanted.name);
    await this.#makeRoom();
    await this.#options.leases.take(wanted.name);
    try {
      const container = await this.#findOrMake(wanted);
      const box = { container, skills: wanted.skills, active: 1, usedAt: this.#options.clock.now() };
      this.#boxes.set(wanted.name, box);
      return box;
    } catch (thrown) {
      await this.#options.leases.release(wanted.name);
      throw thrown;
    }
  }

  async #findOrMake(wanted: BoxFor): Promise<Container> {
    const { engine, leases, settings, clock, log } = this.#options;
    const docker = await engine.client();
    const { Id: imageId } = await docker.getImage(settings.image).inspect();
    const spec = containerSpec(settings, { ...wanted, imageId });
    const startedAt = clock.now();
    for (let waited = 0; waited < GIVE_UP_MS; waited = clock.now() - startedAt) {
      const found = await inspected(docker.getContainer(wanted.name));
      if (found === null) {
        const made = await docker.createContainer(spec).catch((thrown: unknown) => {
          if (statusOf(thrown) === 409) return null; // another process was faster
          throw thrown;
        });
        if (made !== null) {
          await made.start();
          log.debug({ container: wanted.name }, 'a sandbox was made');
          return made;
        }
        await delay(LOOK_AGAIN_MS);
        continue;
      }
      const isShared = await leases.heldByOthers(wanted.name);
      const isSame = [LABELS.installation, LABELS.owner, LABELS.assistant, LABELS.spec].every(
        (label) => found.Config.Labels[label] === spec.Labels?.[label],
      );
      if (isShared && isSame && found.State.Running) return docker.getContainer(found.Id);
      // Nobody's, or made otherwise; one of another process that is being made gets time first.
      if (!isShared || !isSame || waited > OTHERS_MAKE_IT_MS) await remove(docker.getContainer(found.Id));
      await delay(LOOK_AGAIN_MS);
    }
    throw new AntlerError('unavailable', 'the sandbox could not be made', { retryable: true });
  }

  /** When there are too many, the one that was idle longest goes. */
  async #makeRoom(): Promise<void> {
    if (this.#boxes.size < MAX_BOXES) return;
    const idle = [...this.#boxes].filter(([, { active }]) => active === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    const [oldest] = idle;
    if (oldest === undefined)
      throw new AntlerError('unavailable', 'too many sandboxes are at work at the moment', { retryable: true });
    await this.#letGo(...oldest);
  }

  /** Removes those that nobody has used for long. */
  async removeIdle(): Promise<void> {
    const before = this.#options.clock.now() - this.#options.settings.idleMs;
    for (const [name, box] of this.#boxes)
      await this.#turns.run(name, async () => {
        if (this.#boxes.get(name) === box && box.active === 0 && box.usedAt <= before) await this.#letGo(name, box);
      });
  }

  /** Removes containers of this installation that nobody live holds. @returns how many. */
  async sweep(): Promise<number> {
    const { engine, leases, installation, log } = this.#options;
    const docker = await engine.client();
    await leases.tidy();
    const filters = { label: [`${LABELS.installation}=${installation}`] };
    let removed = 0;
    for (const { Id: id, Names: names } of await docker.listContainers({ all: true, filters })) {
      const name = names[0]?.replace(/^\//, '') ?? '';
      if (await leases.isHeld(name)) continue;
      await remove(docker.getContainer(id));
      removed++;
    }
    if (removed > 0) log.info({ removed }, 'sandboxes that nobody used any more were removed');
    return removed;
  }

  /** Removes all that this process alone uses. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#coming);
    await Promise.all(
      [...this.#boxes].map(([name, box]) => this.#turns.run(name, () => this.#letGo(name, box).catch(() => {}))),
    );
  }

  /** Not used again, whoever else does. */
  async #throwAway(name: string, box: Box): Promise<void> {
    if (this.#boxes.get(name) === box) {
      this.#boxes.delete(name);
      // Whoever makes it anew takes the lease anew.
      await this.#options.leases.release(name);
    }
    await remove(box.container);
  }

  async #letGo(name: string, box: Box): Promise<void> {
    if (this.#boxes.get(name) === box) this.#boxes.delete(name);
    await this.#options.leases.release(name);
    if (!(await this.#options.leases.heldByOthers(name))) await remove(box.container);
  }
}

async function inspected(container: Container) {
  try {
    return await container.inspect();
  } catch (thrown) {
    if (statusOf(thrown) === 404) return null;
    throw thrown;
  }
}

const isRunning = async (container: Container): Promise<boolean> =>
  (await inspected(container))?.State.Running === true;

/** By its id, so that another one of its name is safe. One that is gone, or is being removed, is no error. */
async function remove(container: Container): Promise<void> {
  try {
    await container.remove({ force: true, v: true });
  } catch (thrown) {
    const status = statusOf(thrown);
    if (status !== 404 && status !== 409) throw thrown;
  }
}
