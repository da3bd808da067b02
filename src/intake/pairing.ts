import type { Clock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { type Language, type Sentence, say } from '../base/sentences.ts';
import type { InboundMessage } from '../channel/message.ts';
import { newCode, readCode, showCode } from '../people/code.ts';
import type { Admission, PairingRequest, Store } from '../store/port.ts';
import type { Tell } from './tell.ts';

/** How long a code is good for. */
const VALID_FOR_MS = 3_600_000;

export interface PairingOptions {
  readonly store: Pick<Store, 'admissions'>;
  readonly tell: Tell;
  readonly log: Logger;
  readonly clock: Pick<Clock, 'now'>;
}

/** Lets strangers in by a code that an admin approves, wherever the admin is: in a chat, at a terminal, at the page. */
export interface Pairing {
  isAdmitted(channel: string, user: string): Promise<boolean>;
  /** The sentence that tells a stranger their code. */
  ask(message: InboundMessage, language: Language): Promise<string>;
  pending(): Promise<readonly PairingRequest[]>;
  admitted(): Promise<readonly Admission[]>;
  /** Admits who has the code and tells them. @throws AntlerError `not_found`, `bad_input`. */
  approve(code: string, by: string): Promise<PairingRequest>;
  /** Turns the request down and tells them. @throws AntlerError `not_found`, `bad_input`. */
  deny(code: string): Promise<PairingRequest>;
  /** @throws AntlerError `not_found` when they were not let in this way. */
  revoke(channel: string, user: string): Promise<void>;
}

export function createPairing({ store, tell, log, clock }: PairingOptions): Pairing {
  const { admissions } = store;
  const since = (): number => clock.now() - VALID_FOR_MS;

  const told = (request: PairingRequest, sentence: Sentence): Promise<boolean> =>
    tell(
      { channel: request.channel, chat: request.chat, chatKind: 'dm' },
      `pairing/${request.code}/${sentence}`,
      say(request.language, sentence),
    );

  function codeIn(typed: string): string {
    const code = readCode(typed);
    if (code === null) throw new AntlerError('bad_input', 'a code has eight letters and digits, such as ABCD-EFGH');
    return code;
  }

  function found(request: PairingRequest | null): PairingRequest {
    if (request === null)
      throw new AntlerError('not_found', 'no such code; it may have been used already, or be older than an hour');
    return request;
  }

  return {
    isAdmitted: (channel, user) => admissions.isAdmitted(channel, user),
    ask: async ({ channel, chat, sender }, language) => {
      const asked = { channel, chat: chat.id, user: sender.id, name: sender.name, language, requestedAt: clock.now() };
      // Another's code comes up about once in a trillion; a second one never.
      const request =
        (await admissions.request({ ...asked, code: newCode() }, VALID_FOR_MS)) ??
        (await admissions.request({ ...asked, code: newCode() }, VALID_FOR_MS));
      if (request === null) throw new AntlerError('internal', 'no free pairing code');
      log.info({ channel, user: sender.id }, 'a stranger asks to be let in');
      return say(language, 'pairing_code', { code: showCode(request.code) });
    },
    pending: () => admissions.pending(since()),
    admitted: () => admissions.list(),
    approve: async (typed, by) => {
      const request = found(await admissions.admit(codeIn(typed), since(), by, clock.now()));
      log.info({ channel: request.channel, user: request.user, by }, 'a stranger was let in');
      // The request ends last: whoever fails before that can be asked again, and the stranger is told once.
      await told(request, 'pairing_approved');
      await admissions.take(request.code, since());
      return request;
    },
    deny: async (typed) => {
      const request = found(await admissions.take(codeIn(typed), since()));
      log.info({ channel: request.channel, user: request.user }, 'a stranger was not let in');
      await told(request, 'pairing_denied');
      return request;
    },
    revoke: async (channel, user) => {
      if (!(await admissions.revoke(channel, user)))
        throw new AntlerError('not_found', `${user} was not let in on ${channel} by a code`);
      log.info({ channel, user }, 'somebody was shut out again');
    },
  };
}
