import { AntlerError } from '../../base/errors.ts';
import { parseImUserKey } from '../../base/ids.ts';
import { say } from '../../base/sentences.ts';
import { dedupeKey } from '../../channel/message.ts';
import type { ImUser } from '../../store/port.ts';
import type { CommandScene, Handler } from './scene.ts';

/** Lets a stranger in by their code. */
export const pair: Handler = async ({ pairing, who, language }, code) => {
  if (code === '') return say(language, 'pairing_usage');
  try {
    const { name } = await pairing.approve(code, who.user.key);
    return name === '' ? say(language, 'pairing_done_unnamed') : say(language, 'pairing_done', { name });
  } catch (error) {
    const known = error instanceof AntlerError && (error.code === 'not_found' || error.code === 'bad_input');
    if (!known) throw error;
    return say(language, 'pairing_unknown');
  }
};

const LISTED = 20;
const LOOKED_AT = 500;

/** Who wrote to this bot lately. */
export const who: Handler = async ({ store, message, language }) => {
  const mine = (user: ImUser): boolean => {
    const { channelType, tenant } = parseImUserKey(user.key);
    return channelType === message.channelType && tenant === message.tenant;
  };
  const users = (await store.imUsers.list({ limit: LOOKED_AT })).filter(mine).slice(0, LISTED);
  const lines = users.map(({ key, name, role }) => {
    const id = `\`${parseImUserKey(key).user}\``;
    return `- ${[name, id, role === null ? '' : say(language, `role_${role}`)].filter((part) => part !== '').join(' · ')}`;
  });
  return `${say(language, 'who')}\n\n${lines.join('\n')}`;
};

/** How long a pause waits for its own announcement to be out, which it would hold up. */
const ANNOUNCING_MS = 3_000;
const LOOK_MS = 50;

/** Turns and sends of the channel wait until it is resumed; what comes meanwhile is kept. */
export const pause: Handler = async ({ bus, message, language, tell, clock }) => {
  const { channel, chat } = message;
  const here = { channel, chat: chat.id, chatKind: chat.kind };
  await tell(here, `pause/${dedupeKey(message)}`, say(language, 'paused'));
  const end = clock.now() + ANNOUNCING_MS;
  while (clock.now() < end && (await bus.outbox.pending(channel, chat.id)) > 0) await clock.sleep(LOOK_MS);
  await bus.pause(channel);
  return null;
};

export const resumeBot: Handler = async ({ bus, message, language }) => {
  await bus.resume(message.channel);
  return say(language, 'unpaused');
};

/** Chats that nobody spoke in for longer are not told. */
const RECENT_MS = 30 * 86_400_000;
const CHATS_MOST = 10_000;

/** Says something in every chat of this channel. */
export const broadcast: Handler = async (scene, text) => {
  const { store, message, language, clock } = scene;
  if (text === '') return say(language, 'broadcast_usage');
  const chats = await store.chats.list(message.channel, clock.now() - RECENT_MS, CHATS_MOST);
  const others = chats.filter(({ chat }) => chat !== message.chat.id);
  for (const { chat, kind } of others) await tellOnce(scene, chat, kind, text);
  await store.audit.add({
    at: clock.now(),
    actor: scene.who.user.key,
    action: 'broadcast',
    subject: message.channel,
    details: { chats: others.length },
  });
  return say(language, 'broadcast_done', { count: others.length });
};

/** Once, however often the command is delivered. */
const tellOnce = ({ tell, message }: CommandScene, chat: string, chatKind: 'dm' | 'group', text: string) =>
  tell(
    { channel: message.channel, chat, chatKind },
    `broadcast/${dedupeKey(message)}/${encodeURIComponent(chat)}`,
    text,
  );
