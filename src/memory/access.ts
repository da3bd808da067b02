import type { Clock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import {
  chatSubject,
  type ImUserKey,
  type MemorySubject,
  type PersonId,
  personSubject,
  type ThreadId,
  threadKey,
} from '../base/ids.ts';
import type { MemoryAccess, MemoryPlace, MemorySection } from '../harness/memory/port.ts';
import type { ToldFact } from '../store/memory/port.ts';
import type { Store } from '../store/port.ts';
import { keepable } from './desk.ts';
import { learn, sameAs } from './learn.ts';
import { factLine, labelOf, sectionsWithin, summaryLines } from './lines.ts';
import type { MemoryDesk, MemorySettings } from './port.ts';
import { found, ranked } from './rank.ts';

export interface AccessOptions {
  readonly store: Pick<Store, 'memory' | 'audit'>;
  readonly desk: MemoryDesk;
  readonly settings: Pick<MemorySettings, 'injectTokens' | 'maxFacts'>;
  /** Tokens that a text takes. */
  readonly tokensOf: (text: string) => number;
  readonly clock: Pick<Clock, 'now'>;
}

const FOUND_MOST = 20;

interface Asked {
  readonly about: MemorySection['about'];
  readonly subject: MemorySubject;
  /** Others read along. */
  readonly isPublic: boolean;
}

/** In a group: the group's, and what the speaker has said in front of others. Alone: the person's own. */
export function subjectsAt({ person, channel, chat, chatKind }: MemoryPlace): readonly Asked[] {
  const own: Asked = { about: 'person', subject: personSubject(person as PersonId), isPublic: chatKind === 'group' };
  if (chatKind === 'dm') return [own];
  return [own, { about: 'group', subject: chatSubject(threadKey({ channel, chat })), isPublic: false }];
}

/** What runs see and change of memories: those of their place, and no others. */
export function createAccess({ store: { memory }, desk, settings, tokensOf, clock }: AccessOptions): MemoryAccess {
  async function knownAt(place: MemoryPlace) {
    const asked = subjectsAt(place);
    const known = await memory.known(asked, clock.now());
    return asked.flatMap(({ about, subject }) => {
      const one = known.get(subject);
      return one === undefined ? [] : [{ about, ...one }];
    });
  }

  /** @throws AntlerError `not_found` for what cannot be seen from here, too. */
  async function factAt(
    place: MemoryPlace,
    label: string,
  ): Promise<{ readonly asked: Asked; readonly fact: ToldFact }> {
    const match = /^(g?)(\d{1,7})$/i.exec(label.trim());
    const about = match?.[1] === '' ? 'person' : 'group';
    const asked = subjectsAt(place).find((one) => one.about === about);
    const number = Number(match?.[2]);
    const known = asked === undefined ? undefined : (await memory.known([asked], clock.now())).get(asked.subject);
    const fact = known?.facts.find((one) => one.number === number);
    if (asked === undefined || fact === undefined)
      throw new AntlerError('not_found', `nothing is remembered as ${label}`);
    return { asked, fact };
  }

  return {
    async recall(place, text) {
      const known = await knownAt(place);
      const facts = ranked(
        known.flatMap(({ about, facts: all }) => all.map((fact) => ({ ...fact, about }))),
        text,
        clock.now(),
      );
      return sectionsWithin(
        known.flatMap((one) => summaryLines(one.about, one.summaries)),
        facts.map((fact) => factLine(fact.about, fact)),
        settings.injectTokens,
        tokensOf,
      );
    },

    async search(place, query) {
      const known = await knownAt(place);
      return known.flatMap(({ about, facts }) =>
        found(facts, query, clock.now(), FOUND_MOST).map((fact) => ({
          label: labelOf(about, fact.number),
          content: factLine(about, fact).line,
        })),
      );
    },

    async add(place, { about, content, category, speaker, thread, entry }) {
      const asked = subjectsAt(place).find((one) => one.about === about);
      if (asked === undefined) throw new AntlerError('bad_input', 'there is no group here');
      const text = keepable(content);
      const at = clock.now();
      await memory.change([asked.subject], at, (books) => {
        const book = books.get(asked.subject);
        if (book === undefined) return new Map();
        const lesson = {
          ...{ subject: asked.subject, content: text, category, confidence: 1, at },
          ...{ saidBy: speaker.id as ImUserKey, speaker: speaker.name },
          source: { thread: thread as ThreadId, entry, at },
          isPrivate: about === 'person' && !asked.isPublic,
        };
        return new Map([[asked.subject, learn(book, [lesson], { most: settings.maxFacts, now: at }).change]]);
      });
      // What is said to be remembered is what is there, and not what was meant to be.
      const { facts, isOff } = await memory.read(asked.subject);
      if (isOff) throw new AntlerError('forbidden', 'memory is turned off here; /memory on turns it on');
      const fact = sameAs(facts, { content: text });
      if (fact === undefined) throw new AntlerError('unavailable', 'it was not kept');
      return { label: labelOf(about, fact.number), content: fact.content };
    },

    async update(place, label, content, by) {
      const { asked, fact } = await factAt(place, label);
      mayChange(asked, fact, by.id);
      const edited = await desk.edit(asked.subject, fact.number, content, by.id);
      if (edited === null) throw new AntlerError('not_found', `nothing is remembered as ${label}`);
      return { label, content: edited.content };
    },

    async forget(place, label, by) {
      const { asked, fact } = await factAt(place, label);
      mayChange(asked, fact, by.id);
      const gone = await desk.forget(asked.subject, fact.number, by.id);
      if (gone === null) throw new AntlerError('not_found', `nothing is remembered as ${label}`);
      return { label, content: gone.content };
    },
  };
}

/** What is known about a group was told by its members, and each has a say in their own words only. */
function mayChange({ about }: Asked, { saidBy }: ToldFact, by: string): void {
  if (about === 'group' && saidBy !== by)
    throw new AntlerError('forbidden', 'somebody else said this; they, or an operator with /memory, can change it');
}
