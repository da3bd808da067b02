import type { InboundMessage } from '../../src/channel/message.ts';
import type { ChannelState } from '../../src/channel/port.ts';

/** Lets a person say hello by opening the chat, the first time: WeCom tells of it every day, apps even each time. */
export async function greetOnce(
  state: ChannelState,
  { sender }: Pick<InboundMessage, 'sender'>,
  greet: () => Promise<void>,
): Promise<void> {
  const key = `greeted:${sender.id}`;
  if ((await state.get(key)) !== null) return;
  await greet();
  await state.set(key, 'yes');
}
