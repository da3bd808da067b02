import type { Clock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { type ImUserKey, parseImUserKey } from '../base/ids.ts';
import { type Language, type Sentence, say } from '../base/sentences.ts';
import { newCode, readCode, showCode } from '../people/code.ts';
import { type Slots, takeSlot } from '../people/slots.ts';
import type { Union } from '../people/union.ts';
import type { ImUser, LinkRequest, Links, Whereabouts } from '../store/port.ts';
import type { Tell } from './tell.ts';

const VALID_FOR_MS = 600_000;
/** Codes that somebody may type in that time. */
const GUESSES = 5;

export interface LinkingOptions {
  readonly links: Links;
  readonly union: Union;
  readonly slots: Slots;
  readonly tell: Tell;
  readonly language: Language;
  readonly clock: Pick<Clock, 'now'>;
}

/** Makes one person of accounts on several platforms, when both say so; and two again. */
export interface Linking {
  /** A code for somebody's other account; the sentence that tells it. */
  ask(who: Whereabouts, language: Language): Promise<string>;
  /** Somebody typed a code: whom it would link, or what else there is to say. */
  enter(typed: string, who: Whereabouts, language: Language): Promise<string>;
  /** Somebody agrees to what a code does; once both have, they are one person. */
  agree(typed: string, who: Whereabouts, language: Language): Promise<string>;
  /** Somebody wants to be a person of their own again. */
  leave(who: ImUser, language: Language): Promise<string>;
}

export function createLinking({ links, union, slots, tell, language: own, clock }: LinkingOptions): Linking {
  const { known } = union;
  const since = (): number => clock.now() - VALID_FOR_MS;

  const describe = ({ key, name }: ImUser): string => {
    const { channelType, user } = parseImUserKey(key);
    return name === '' ? `${channelType} ${user}` : `${name} (${channelType} ${user})`;
  };

  /** Says it where the other one of the two is, in their own language. */
  async function told(to: Whereabouts, request: LinkRequest, sentence: Sentence, other: ImUserKey): Promise<void> {
    const [user, partner] = [await known(to.key), await known(other)];
    const words = say(user.chosenLanguage ?? own, sentence, {
      who: describe(partner),
      code: showCode(request.code),
    });
    await tell({ channel: to.channel, chat: to.chat, chatKind: 'dm' }, `link/${request.code}/${sentence}`, words);
  }

  return {
    async ask(asker, language) {
      const code = newCode();
      if (!(await links.ask({ code, asker, askedAt: clock.now() })))
        throw new AntlerError('internal', 'no free linking code');
      return say(language, 'link_code', { code: showCode(code) });
    },

    async enter(typed, who, language) {
      if ((await takeSlot(slots, `link-guess/${who.key}`, GUESSES, VALID_FOR_MS)) === null)
        return say(language, 'link_too_often');
      const code = readCode(typed);
      const request = code === null ? null : await links.claim(code, who, since());
      if (request === null) return say(language, 'link_unknown');
      const asker = await known(request.asker.key);
      return say(language, 'link_confirm', { who: describe(asker), code: showCode(request.code) });
    },

    async agree(typed, who, language) {
      const code = readCode(typed);
      const request = code === null ? null : await links.get(code, since());
      if (request === null || request.claimer === null) return say(language, 'link_unknown');
      if (request.claimer.key === who.key) {
        const agreed = await links.agree(request.code, who.key, since());
        if (agreed === null) return say(language, 'link_unknown');
        await told(agreed.asker, agreed, 'link_asked', who.key);
        return say(language, 'link_waiting');
      }
      // The asker has the last word, and only once the other one has spoken.
      if (request.asker.key !== who.key || !request.claimerAgrees) return say(language, 'link_unknown');
      const [asker, claimer] = [await known(who.key), await known(request.claimer.key)];
      await union.join(asker, claimer, who.key);
      await links.take(request.code);
      await told(request.claimer, request, 'link_done', who.key);
      return say(language, 'link_done', { who: describe(claimer) });
    },

    leave: async (who, language) => say(language, (await union.part(who, who.key)) ? 'unlink_done' : 'unlink_alone'),
  };
}
