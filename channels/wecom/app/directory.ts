import { z } from 'zod';
import { BoundedMap } from '../../../src/base/bounded-map.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { InboundMessage } from '../../../src/channel/message.ts';
import { personName } from '../../../src/format/safe-name.ts';
import { LOOKUP_BUDGET_MS, REMEMBERED_MAX } from '../limits.ts';
import type { AppApi } from './api.ts';

const KNOWN_MS = 3_600_000;

const memberShape = z.looseObject({ name: z.string().catch(''), alias: z.string().catch('') });

/** What members are called. Newer apps are told no names unless the members agreed. */
export class Directory {
  readonly #api: AppApi;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Logger;
  readonly #names = new BoundedMap<string, { readonly name: Promise<string>; readonly until: number }>(REMEMBERED_MAX);

  constructor(api: AppApi, clock: Pick<Clock, 'now'>, log: Logger) {
    this.#api = api;
    this.#clock = clock;
    this.#log = log;
  }

  async named(message: InboundMessage): Promise<InboundMessage> {
    const name = await soon(this.#nameOf(message.sender.id));
    return { ...message, sender: { ...message.sender, name } };
  }

  #nameOf(user: string): Promise<string> {
    const known = this.#names.get(user);
    if (known !== undefined && this.#clock.now() < known.until) return known.name;
    const name = this.#lookUp(user);
    this.#names.set(user, { name, until: this.#clock.now() + KNOWN_MS });
    return name;
  }

  async #lookUp(user: string): Promise<string> {
    try {
      const options = { query: { userid: user }, timeoutMs: LOOKUP_BUDGET_MS, idempotent: true };
      const member = memberShape.safeParse(await this.#api.call('user/get', options));
      return personName(member.data?.name, member.data?.alias);
    } catch (thrown) {
      const { code, retryable } = asAntlerError(thrown);
      this.#log.debug({ code }, 'a member’s name is not to be had');
      if (retryable) this.#names.delete(user);
      return '';
    }
  }
}

/** WeCom waits five seconds for its receipt: a name that takes long, be it for want of a token, is done without. */
async function soon(name: Promise<string>): Promise<string> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(late.resolve, LOOKUP_BUDGET_MS, '');
  try {
    return await Promise.race([name, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
