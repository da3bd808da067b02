import { type Chat, displayName, type Message, startTelegram, type User, type WireEntity } from '../telegram/index.ts';
import { found } from './found.ts';
import type { Look, PlayChat, PlayFile, Playground, PlayMessage, Said } from './port.ts';

export interface TelegramPlay {
  readonly transport?: 'polling' | 'webhook';
  /** Enforces Telegram's published rates. Default: false. */
  readonly flood?: boolean;
}

const WEBHOOK_SECRET = 'the-secret-of-the-webhook';

/** A Telegram with Ann, Bo and a bot in it. */
export async function playTelegram({ transport = 'polling', flood = false }: TelegramPlay = {}): Promise<Playground> {
  const telegram = await startTelegram({ flood });
  const bot = telegram.addBot({ username: 'antler_bot', name: 'Antler' });
  const users = {
    ann: telegram.addUser({ firstName: 'Ann', username: 'ann_demo', language: 'en' }),
    bo: telegram.addUser({ firstName: '小波', username: 'xiaobo_demo', language: 'zh-hans' }),
  };
  const chats = {
    ann: telegram.openPrivateChat(users.ann, bot),
    bo: telegram.openPrivateChat(users.bo, bot),
    group: telegram.addGroup({ title: 'Team 小组', members: [users.ann, users.bo, bot] }),
  };
  const player = (user: User, language: 'en' | 'zh') => ({
    id: String(user.id),
    name: displayName(user),
    language,
  });
  const playChat = (chat: Chat, title: string): PlayChat => ({
    id: String(chat.id),
    kind: chat.kind === 'private' ? 'dm' : 'group',
    title,
  });
  const chatOf = ({ id }: PlayChat): Chat => found(telegram.chats.find((chat) => String(chat.id) === id));
  const messageOf = (chat: PlayChat, id: string): Message =>
    found(telegram.visible(chatOf(chat)).find((message) => String(message.id) === id));
  const userOf = ({ id }: { readonly id: string }) =>
    found(Object.values(users).find((user) => String(user.id) === id));
  const annAlone = playChat(chats.ann, 'Antler');
  const boAlone = playChat(chats.bo, 'Antler');
  const group = playChat(chats.group, chats.group.title);
  const known = [annAlone, boAlone, group];

  const mediaOf = (file: Said['file']) =>
    file === undefined
      ? {}
      : {
          media: telegram.media({
            kind: file.mime.startsWith('image/') ? 'photo' : 'document',
            bytes: file.content,
            name: file.name,
            mime: file.mime,
          }),
        };

  return {
    type: 'telegram',
    title: 'Telegram',
    settings: {
      bot_token: bot.token,
      api_root: telegram.url,
      transport,
      ...(transport === 'webhook' ? { webhook_secret: WEBHOOK_SECRET } : {}),
    },
    botName: '@antler_bot',
    ...{ ann: player(users.ann, 'en'), bo: player(users.bo, 'zh'), annAlone, boAlone, group },
    say: async (who, chat, said) => {
      const text = said.toBot === true && chat.kind === 'group' ? `@antler_bot ${said.text}` : said.text;
      const message = telegram.people.say(userOf(who), chatOf(chat), text, {
        ...mediaOf(said.file),
        ...(said.quoting === undefined ? {} : { replyTo: messageOf(chat, said.quoting) }),
      });
      return String(message.id);
    },
    edit: async (_, chat, id, text) => telegram.people.edit(messageOf(chat, id), text),
    press: async (who, chat, id, label) => void telegram.people.press(userOf(who), messageOf(chat, id), label),
    shown: (chat) =>
      telegram
        .visible(chatOf(chat))
        .filter(({ service }) => service === undefined)
        .map(playMessage),
    content: ({ id }) => telegram.contentOf(id),
    subscribe: (listener) =>
      telegram.events.subscribe((event) => {
        const chat = known.find(({ id }) => id === String(event.chat.id));
        if (chat === undefined) return;
        if (event.type === 'typing') listener({ type: 'typing', chat, forMs: Math.max(0, event.until - now()) });
        else listener({ type: 'chat', chat });
      }),
    redeliver: async () => bot.updates.redeliver(),
    ...(transport === 'webhook' ? { forgeries: async (url) => forgeriesOf(url) } : {}),
    stop: () => telegram.stop(),
  };
}

const now = (): number => performance.timeOrigin + performance.now();

function playMessage(message: Message): PlayMessage {
  const { from, content, keyboard, replyTo } = message;
  return {
    id: String(message.id),
    by: { id: String(from.id), name: displayName(from), isBot: from.isBot },
    at: message.at,
    text: content.text,
    looks: content.entities.flatMap(lookOf),
    buttons: (keyboard?.inline_keyboard ?? []).flat().map(({ text }) => text),
    files: filesOf(message),
    edits: message.history.length - 1,
    ...(replyTo === undefined
      ? {}
      : { quoting: { id: String(replyTo.id), name: displayName(replyTo.from), text: replyTo.content.text } }),
  };
}

const LOOKS: Partial<Record<WireEntity['type'], Look['kind']>> = {
  bold: 'bold',
  italic: 'italic',
  strikethrough: 'strike',
  code: 'code',
  pre: 'block',
  blockquote: 'quote',
  text_link: 'link',
  url: 'link',
  text_mention: 'mention',
  mention: 'mention',
};

function lookOf({ type, offset, length, url, user }: WireEntity): Look[] {
  const kind = LOOKS[type];
  if (kind === undefined) return [];
  const whom = user === undefined ? {} : { user: String(user.id) };
  return [{ kind, offset, length, ...(url === undefined ? {} : { url }), ...whom }];
}

/** A photo is a list of sizes; everything else is one file. */
function filesOf({ media }: Message): PlayFile[] {
  if (media === undefined) return [];
  const described = media.fields[media.kind];
  const file: unknown = Array.isArray(described) ? described.at(-1) : described;
  if (typeof file !== 'object' || file === null || !('file_id' in file)) return [];
  const name = 'file_name' in file ? String(file.file_name) : media.kind;
  return [{ id: String(file.file_id), name, isImage: media.kind === 'photo' }];
}

const UPDATE = JSON.stringify({
  update_id: 900_000_001,
  message: {
    ...{ message_id: 9_001, date: 1_700_000_000, text: 'forged', chat: { id: 7, type: 'private', first_name: 'Eve' } },
    from: { id: 7, is_bot: false, first_name: 'Eve' },
  },
});

function forgeriesOf(url: string): Request[] {
  const post = (secret?: string): Request =>
    new Request(url, {
      method: 'POST',
      body: UPDATE,
      headers: {
        'content-type': 'application/json',
        ...(secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': secret }),
      },
    });
  return [post(), post(''), post(`${WEBHOOK_SECRET}x`), post(WEBHOOK_SECRET.slice(0, -1))];
}
