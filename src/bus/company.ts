/**
 * So long nobody begins while a suspect waits for the others to end; then those that wait have a turn before it. A run
 * may take many minutes, and they are not to stand still for it.
 */
export const ALONE_PATIENCE_MS = 20_000;

/**
 * Who runs beside whom in one process. A turn that is suspected of ending processes runs alone there: then a crash
 * tells that it was this one, and nobody else's attempts are used up.
 */
export class Company {
  #present = 0;
  /** Somebody is alone here, or waits to be. */
  #closed = false;
  #left: ((isEmpty: boolean) => void) | undefined;
  #dismissed = false;
  readonly #onOpen = new Set<() => void>();

  get isOpen(): boolean {
    return !this.#closed;
  }

  /** Calls back whenever company is welcome again. */
  onOpen(listener: () => void): void {
    this.#onOpen.add(listener);
  }

  /** Returns how to leave; null when somebody is to be alone. */
  join(): (() => void) | null {
    if (this.#closed) return null;
    this.#present++;
    return () => {
      this.#present--;
      if (this.#present === 0) this.#left?.(true);
    };
  }

  /**
   * Waits until all others have left. Resolves with how to leave; null when another one is first, when the others stay
   * for longer than `patienceMs`, or on dismissal.
   */
  async joinAlone(patienceMs = ALONE_PATIENCE_MS): Promise<(() => void) | null> {
    if (this.#closed || this.#dismissed) return null;
    this.#closed = true;
    const open = (): void => {
      this.#closed = false;
      for (const listener of this.#onOpen) listener();
    };
    if (this.#present === 0) return open;
    let timer: NodeJS.Timeout | undefined;
    const isEmpty = await new Promise<boolean>((resolve) => {
      this.#left = resolve;
      timer = setTimeout(() => resolve(false), patienceMs);
      timer.unref();
    });
    clearTimeout(timer);
    this.#left = undefined;
    if (isEmpty) return open;
    open();
    return null;
  }

  /** The process ends: nobody waits to be alone any more. */
  dismiss(): void {
    this.#dismissed = true;
    this.#left?.(false);
  }
}

/** What is known of how a turn's attempts ended. */
export interface CrashRecord {
  /** Failures and crashes. */
  readonly attempt: number;
  /** Those of them that were crashes while others ran beside it: any of them may have been the cause. */
  readonly excused: number;
  /** It was alone when its process died: in its run, or while its sender was told that it is given up. */
  readonly guilty: Alone | null;
}

/** What a turn does alone in its process. */
export type Alone = 'run' | 'tell';

/** From its third attempt on at the latest a turn whose attempts ended in crashes runs alone. */
const MOST_EXCUSED = 2;

/** The attempts that count against a turn; crashes in company do not. */
export const countedAttempts = ({ attempt, excused }: Pick<CrashRecord, 'attempt' | 'excused'>): number =>
  attempt - excused;

export const isSuspect = ({ excused, guilty }: CrashRecord, maxAttempts: number): boolean =>
  guilty !== null || excused >= Math.min(MOST_EXCUSED, Math.max(1, maxAttempts - 1));
