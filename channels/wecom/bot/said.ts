import { createHash } from 'node:crypto';
import { z } from 'zod';
import { asAntlerError } from '../../../src/base/errors.ts';
import { keptJson } from '../../../src/base/kept-json.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { InboundMessage } from '../../../src/channel/message.ts';
import type { ChannelState } from '../../../src/channel/port.ts';

/** Of one chat. */
const REMEMBERED = 30;
/** As much of a text tells it from others; letters and digits alone, since a quotation has no markup. */
const HEAD = 80;

const shape = z.array(z.string());

/** What the bot has said lately, by its beginning: WeCom tells what was quoted, but never whose words it was. */
export interface Said {
  note(chat: string, text: string): Promise<void>;
  /** The message, whose quotation says whether it is of the bot's words. */
  recognise(message: InboundMessage): Promise<InboundMessage>;
}

export function saidIn(state: ChannelState, log: Logger): Said {
  const read = async (chat: string): Promise<string[]> => keptJson(await state.get(keyOf(chat)), shape) ?? [];

  return {
    async note(chat, text) {
      const mark = markOf(text);
      if (mark === undefined) return;
      try {
        const others = (await read(chat)).filter((one) => one !== mark);
        await state.set(keyOf(chat), JSON.stringify([...others, mark].slice(-REMEMBERED)));
      } catch (thrown) {
        log.warn(
          { code: asAntlerError(thrown).code },
          'what was said was not remembered; it is no reason to say it again',
        );
      }
    },

    async recognise(message) {
      const { quote } = message;
      const mark = quote === undefined ? undefined : markOf(quote.text);
      if (quote === undefined || mark === undefined) return message;
      const isOurs = (await read(message.chat.id)).includes(mark);
      return isOurs ? { ...message, quote: { ...quote, fromBot: true } } : message;
    },
  };
}

const keyOf = (chat: string): string => `said:${chat}`;

/** Undefined for a text that is like too many others. */
function markOf(text: string): string | undefined {
  const head = (text.slice(0, 2_000).match(/[\p{L}\p{N}]+/gu) ?? []).join('').slice(0, HEAD);
  return head === '' ? undefined : createHash('sha256').update(head).digest('base64url').slice(0, 16);
}
