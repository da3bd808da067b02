import type { Clock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import type { MemorySubject } from '../base/ids.ts';
import type { Book, Change, Fact } from '../store/memory/port.ts';
import type { Store } from '../store/port.ts';
import { FACT_CHARS, FORGOTTEN_MOST, UNDO_MS } from './limits.ts';
import { factHash } from './normal.ts';
import type { MemoryDesk } from './port.ts';
import { holdsSecret } from './secrets.ts';
import { isValid, surplus } from './worth.ts';

export interface DeskOptions {
  readonly store: Pick<Store, 'memory' | 'audit'>;
  readonly maxFacts: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** A fact's words as they may be kept. @throws AntlerError `bad_input`. */
export function keepable(content: string): string {
  const text = content.replace(/\s+/g, ' ').trim().toWellFormed();
  if (text === '') throw new AntlerError('bad_input', 'there is nothing to remember');
  if (text.length > FACT_CHARS) throw new AntlerError('bad_input', `a fact has at most ${FACT_CHARS} characters`);
  if (holdsSecret(text)) throw new AntlerError('bad_input', 'passwords, keys and numbers of cards are not remembered');
  return text;
}

export function createDesk({ store: { memory, audit }, maxFacts, clock }: DeskOptions): MemoryDesk {
  /** Changes one book by what `decide` finds in it, and notes who did; nothing is noted of what was in it. */
  async function change<Result>(
    subject: MemorySubject,
    by: string,
    action: string,
    decide: (book: Book, now: number) => { readonly change: Change; readonly result: Result } | null,
  ): Promise<Result | null> {
    const now = clock.now();
    let done: { readonly change: Change; readonly result: Result } | null = null;
    await memory.change([subject], now, (books) => {
      const book = books.get(subject);
      done = book === undefined ? null : decide(book, now);
      return new Map(done === null ? [] : [[subject, done.change]]);
    });
    const outcome = done as { readonly change: Change; readonly result: Result } | null;
    if (outcome === null) return null;
    await audit.add({ at: now, actor: by, action, subject, details: {} });
    return outcome.result;
  }

  const numbered = (book: Book, number: number): Fact | undefined => book.facts.find((fact) => fact.number === number);

  return {
    read: (subject) => memory.read(subject),

    edit: async (subject, number, content, by) => {
      const text = keepable(content);
      return change(subject, by, 'memory.edit', (book, now) => {
        const fact = numbered(book, number);
        if (fact === undefined) return null;
        const hash = factHash(text);
        const edited = { ...fact, content: text, hash, confidence: 1, lastSeenAt: now, validUntil: null };
        const double = book.facts.find((other) => other.hash === hash && other.id !== fact.id);
        const forgotten = hash === fact.hash ? {} : { forgotten: withForgotten(book, [fact.hash], now) };
        return {
          change: {
            ...(double === undefined ? {} : { remove: [double.id] }),
            replace: [edited],
            ...forgotten,
            undo: null,
          },
          result: edited,
        };
      });
    },

    forget: (subject, number, by) =>
      change(subject, by, 'memory.forget', (book, now) => {
        const fact = numbered(book, number);
        if (fact === undefined) return null;
        // Summaries may hold it in other words, and undoing would bring it back.
        const summaries = Object.fromEntries(Object.keys(book.summaries).map((kind) => [kind, '']));
        return {
          change: { remove: [fact.id], summaries, forgotten: withForgotten(book, [fact.hash], now), undo: null },
          result: fact,
        };
      }),

    clear: async (subject, by) => {
      const at = clock.now();
      const erased = await memory.erase(subject, [], at);
      await audit.add({ at, actor: by, action: 'memory.erase', subject, details: erased });
      return erased;
    },

    turn: async (subject, isOff, by) => {
      await change(subject, by, isOff ? 'memory.off' : 'memory.on', () => ({
        // What was said while it was off is not learnt afterwards.
        change: isOff ? { isOff } : { isOff, erasedAt: clock.now() },
        result: null,
      }));
    },

    undo: (subject, by) =>
      change(subject, by, 'memory.undo', (book, now) => {
        const { undo, facts } = book;
        if (undo === null || now - undo.at > UNDO_MS) return null;
        const added = facts.filter(({ id }) => undo.added.includes(id));
        const here = new Set(facts.map(({ id }) => id));
        const restored = undo.former.filter((fact) => isValid(fact, now));
        return {
          change: {
            remove: added.map(({ id }) => id),
            replace: restored.filter(({ id }) => here.has(id)),
            add: restored.filter(({ id }) => !here.has(id)),
            summaries: undo.summaries,
            forgotten: withForgotten(
              book,
              added.map(({ hash }) => hash),
              now,
            ),
            undo: null,
          },
          result: { removed: added.length, restored: restored.length },
        };
      }),

    add: async (subject, facts, summaries, by) =>
      (await change(subject, by, 'memory.import', (book, now) => {
        const known = new Set(book.facts.map(({ hash }) => hash));
        const fresh = facts.filter(({ hash }) => !known.has(hash) && known.add(hash));
        const all = [...book.facts, ...fresh.map((fact, index) => ({ ...fact, number: 1e6 + index }))];
        const gone = new Set(surplus(all, maxFacts, now));
        const add = fresh.filter(({ id }) => !gone.has(id));
        const remove = book.facts.filter(({ id }) => gone.has(id)).map(({ id }) => id);
        return { change: { remove, add, summaries, undo: null }, result: add.length };
      })) ?? 0,
  };
}

/** The newest ones, so that the list has a bound. */
function withForgotten(book: Book, hashes: readonly string[], now: number): Book['forgotten'] {
  const all = { ...book.forgotten, ...Object.fromEntries(hashes.map((hash) => [hash, now])) };
  const newest = Object.entries(all).toSorted(([, one], [, other]) => other - one);
  return Object.fromEntries(newest.slice(0, FORGOTTEN_MOST));
}
