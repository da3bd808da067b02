import { asAntlerError } from '../../../src/base/errors.ts';
import { pressedValue } from '../../../src/channel/kept-values.ts';
import type { Lanes } from '../../../src/channel/lanes.ts';
import type { InboundMessage } from '../../../src/channel/message.ts';
import type { AdapterContext } from '../../../src/channel/port.ts';
import { settingsOf, type WecomConfig } from '../config.ts';
import { greetOnce } from '../greeted.ts';
import type { Directory } from './directory.ts';
import { isArrival } from './normalize/events.ts';
import { normalize } from './normalize/index.ts';
import type { Sending } from './send.ts';
import { type Element, textAt } from './xml.ts';

export interface ReceiveOptions {
  readonly context: AdapterContext<WecomConfig>;
  readonly sending: Sending;
  readonly directory: Directory;
  readonly lanes: Lanes;
}

/** Hands a message or event to intake; resolves once it is durable, or when there is nothing in it for anybody. */
export function receiver({ context, sending, directory, lanes }: ReceiveOptions): (message: Element) => Promise<void> {
  const { channel, config, clock, log, accept, state } = context;
  const { corp_id: corpId, agent_id: agentId } = settingsOf(config, 'app');

  return async (element) => {
    const agent = textAt(element, 'AgentID')?.trim() ?? '';
    if (agent !== '' && agent !== agentId) {
      log.warn({ channel, agent }, 'a message to another app came to this one’s address; nothing was taken in');
      return;
    }
    const message = normalize(element, { channel, corpId, now: clock.now() });
    if (message === null) return log.debug({ channel, event: textAt(element, 'Event') }, 'nothing to take in');
    await lanes.run(message.chat.id, () => take(element, message));
  };

  async function take(element: Element, message: InboundMessage): Promise<void> {
    if (message.kind === 'action') return press(element, message);
    const named = await directory.named(message);
    if (isArrival(element)) return greetOnce(state, named, () => accept(named));
    await accept(named);
  }

  async function press(element: Element, message: InboundMessage): Promise<void> {
    const value = await pressedValue(message.text, state);
    if (value !== null) await accept(await directory.named({ ...message, text: value }));
    void showPressed(element, message); // it never rejects, and nobody waits for it
  }

  /** So that nobody presses twice. */
  async function showPressed(element: Element, { text: key, quote, sender }: InboundMessage): Promise<void> {
    const code = textAt(element, 'ResponseCode') ?? '';
    if (code === '') return;
    const card = sending.cards.get(quote?.messageId ?? '');
    const label = card?.button_list.find((button) => button.key === key)?.text;
    const body = {
      userids: [sender.id],
      agentid: Number(agentId),
      response_code: code,
      button: { replace_name: label === undefined ? '✔' : `✔ ${label}` },
    };
    try {
      await sending.api.call('message/update_template_card', { body, idempotent: true });
    } catch (thrown) {
      log.debug({ channel, problem: asAntlerError(thrown).message }, 'a pressed card was not updated');
    }
  }
}
