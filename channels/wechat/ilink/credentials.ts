import { z } from 'zod';
import { keptJson } from '../../../src/base/kept-json.ts';
import type { ChannelState } from '../../../src/channel/port.ts';

/** What a login yields. */
export interface Credentials {
  readonly token: string;
  /** Where this bot is served. */
  readonly root: string;
  /** The bot's own id, `…@im.bot`. */
  readonly bot: string;
  /** Who has scanned the code, `…@im.wechat`. */
  readonly owner: string;
}

const shape = z.object({ token: z.string(), root: z.string(), bot: z.string(), owner: z.string() });
const KEY = 'login';

/** Null when nobody has logged in yet, or when what is kept cannot be read (any more). */
export const readCredentials = async (secrets: ChannelState): Promise<Credentials | null> =>
  keptJson(await secrets.get(KEY), shape) ?? null;

export const keepCredentials = (secrets: ChannelState, credentials: Credentials): Promise<void> =>
  secrets.set(KEY, JSON.stringify(credentials));
