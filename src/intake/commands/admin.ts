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

/** The channel's turns wait until it is resumed; what comes meanwhile is kept. */
export const pause: Handler = async ({ bus, message, language }) => {
  await bus.pause(message.channel);
  return say(language, 'paused');
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
  const { store, message, language, now } = scene;
  if (text === '') return say(language, 'broadcast_usage');
  const chats = await store.chats.list(message.channel, now() - RECENT_MS, CHATS_MOST);
  const others = chats.filter(({ chat }) => chat !== message.chat.id);
  for (const { chat, kind } of others) await tellOnce(scene, chat, kind, text);
  await store.audit.add({
    at: now(),
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
