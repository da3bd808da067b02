import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError } from '../../../src/base/errors.ts';
import { keptJson } from '../../../src/base/kept-json.ts';
import type { ChannelState } from '../../../src/channel/port.ts';
import { TOKEN_LASTS_MS, TOKEN_MARGIN_MS } from '../limits.ts';

const keptShape = z.object({ token: z.string(), until: z.number(), by: z.string() });
type Kept = z.output<typeof keptShape>;

const issuedShape = z.looseObject({ access_token: z.string().min(1), expires_in: z.number().catch(0) });

export interface TokensOptions {
  /** Asks WeCom for a token. */
  readonly fetch: () => Promise<unknown>;
  /** Shared by all replicas, since WeCom throttles those who ask too often. */
  readonly secrets: ChannelState;
  readonly clock: Pick<Clock, 'now'>;
  /** Whose token it is. */
  readonly app: string;
  /** What it is asked for with: a token that another secret got tells nothing of this one. */
  readonly corpSecret: string;
}

/** The app's access token: fetched once for everybody, kept as long as it lasts, and anew when WeCom refuses it. */
export class Tokens {
  readonly #options: TokensOptions;
  readonly #by: string;
  #kept: Kept | undefined;
  #fetching: Promise<string> | undefined;

  constructor(options: TokensOptions) {
    this.#options = options;
    this.#by = createHash('sha256').update(options.corpSecret).digest('base64url').slice(0, 16);
  }

  /** @param refused the token that WeCom has just refused */
  async get(refused?: string): Promise<string> {
    if (this.#kept?.token === refused) this.#kept = undefined;
    if (this.#kept !== undefined && this.#lasts(this.#kept)) return this.#kept.token;
    this.#fetching ??= this.#renew(refused).finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #renew(refused: string | undefined): Promise<string> {
    const { secrets, fetch, clock, app } = this.#options;
    const key = `token:${app}`;
    const stored = await secrets.get(key).catch(() => null); // sealed with another key: it is fetched anew
    const known = keptJson(stored, keptShape);
    if (known?.by === this.#by && known.token !== refused && this.#lasts(known)) {
      this.#kept = known;
      return known.token;
    }
    const issued = issuedShape.safeParse(await fetch());
    if (!issued.success) throw new AntlerError('unavailable', 'WeCom issues no access token.', { retryable: true });
    const { access_token: token, expires_in: seconds } = issued.data;
    const lastsMs = seconds > 0 ? seconds * 1_000 : TOKEN_LASTS_MS;
    this.#kept = { token, until: clock.now() + lastsMs - Math.min(TOKEN_MARGIN_MS, lastsMs / 2), by: this.#by };
    await secrets.set(key, JSON.stringify(this.#kept));
    return token;
  }

  #lasts({ until }: Kept): boolean {
    return this.#options.clock.now() < until;
  }
}
