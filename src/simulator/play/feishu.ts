import { encryptEvent, signEvent } from '../feishu/crypto.ts';
import { type App, type Chat, type Message, startFeishu, type User } from '../feishu/index.ts';
import { elementsOf, parsed } from '../feishu/text.ts';
import { readMessage } from './feishu-reading.ts';
import { found } from './found.ts';
import type { PlayChat, PlayFile, Playground, PlayMessage } from './port.ts';
import { withQuoted } from './quoted.ts';

export interface FeishuPlay {
  readonly transport?: 'websocket' | 'webhook';
  /** Enforces Feishu's published rates. Default: false. */
  readonly flood?: boolean;
}

const ENCRYPT_KEY = 'an-encrypt-key';
const VERIFICATION_TOKEN = 'a-verification-token';

/** A Feishu tenant with Ann, Bo and a bot in it. */
export async function playFeishu({ transport = 'websocket', flood = false }: FeishuPlay = {}): Promise<Playground> {
  const feishu = await startFeishu({ flood, limits: { retryMs: [20, 20, 20, 20] } });
  const app = feishu.addApp({ name: 'Antler' });
  const users = { ann: feishu.addUser('Ann'), bo: feishu.addUser('小波') };
  const chats = {
    ann: feishu.openDirectChat(users.ann, app),
    bo: feishu.openDirectChat(users.bo, app),
    group: feishu.addGroup({ title: 'Team 小组', users: [users.ann, users.bo], apps: [app] }),
  };
  const player = (user: User, language: 'en' | 'zh') => ({ id: user.openId, name: user.name, language });
  const annAlone: PlayChat = { id: chats.ann.id, kind: 'dm', title: app.name };
  const boAlone: PlayChat = { id: chats.bo.id, kind: 'dm', title: app.name };
  const group: PlayChat = { id: chats.group.id, kind: 'group', title: chats.group.title };
  const chatOf = ({ id }: PlayChat): Chat => found(feishu.chats.find((chat) => chat.id === id));
  const messageOf = (chat: PlayChat, id: string): Message =>
    found(feishu.visible(chatOf(chat)).find((message) => message.id === id));
  const userOf = ({ id }: { readonly id: string }): User =>
    found(Object.values(users).find(({ openId }) => openId === id));

  return {
    type: 'feishu',
    title: 'Feishu',
    settings: {
      app_id: app.appId,
      app_secret: app.secret,
      domain: feishu.url,
      transport,
      ...(transport === 'webhook' ? { encrypt_key: ENCRYPT_KEY, verification_token: VERIFICATION_TOKEN } : {}),
    },
    botName: `@${app.name}`,
    ...{ ann: player(users.ann, 'en'), bo: player(users.bo, 'zh'), annAlone, boAlone, group },
    say: async (who, chat, { text, toBot, quoting, file }) => {
      const replyTo = quoting === undefined ? {} : { replyTo: messageOf(chat, quoting) };
      if (file !== undefined) {
        const isImage = file.mime.startsWith('image/');
        const key = feishu.addFile({ kind: isImage ? 'image' : 'file', name: file.name, bytes: file.content });
        const content = isImage ? { image_key: key } : { file_key: key, file_name: file.name };
        const sent = feishu.people.send(userOf(who), chatOf(chat), isImage ? 'image' : 'file', content, replyTo);
        if (text === '') return sent.id;
      }
      const written = toBot === true && chat.kind === 'group' ? `@${app.name} ${text}` : text;
      return feishu.people.say(userOf(who), chatOf(chat), written, replyTo).id;
    },
    recall: async (who, chat, id) => feishu.people.recall(userOf(who), messageOf(chat, id)),
    press: async (who, chat, id, label) => void (await feishu.people.press(userOf(who), messageOf(chat, id), label)),
    shown: (chat) => {
      const messages = feishu.visible(chatOf(chat));
      const accounts = [...Object.values(users), app];
      return withQuoted(
        messages.map((message) => playMessage(message, accounts, feishu.file(message)?.name)),
        messages.map(({ parentId }) => parentId),
      );
    },
    content: ({ id }) => found(feishu.contentOf(id)),
    subscribe: (listener) =>
      feishu.events.subscribe((event) => {
        const chat = [annAlone, boAlone, group].find(({ id }) => id === event.chat.id);
        if (chat !== undefined) listener({ type: 'chat', chat });
      }),
    redeliver: async () => feishu.redeliver(found(feishu.pushes.at(-1))),
    ...(transport === 'webhook'
      ? {
          connect: (url) =>
            feishu.setWebhook(app, { url, verificationToken: VERIFICATION_TOKEN, encryptKey: ENCRYPT_KEY }),
          forgeries: async (url) => forgeriesOf(url, app),
        }
      : {}),
    stop: () => feishu.stop(),
  };
}

function playMessage(message: Message, accounts: readonly (User | App)[], fileName: string | undefined): PlayMessage {
  const { from, card, id, at } = message;
  const elements = elementsOf(card?.json ?? {});
  const buttons = elements.flatMap(({ tag, text }) =>
    tag === 'button' && typeof text === 'object' && text !== null && 'content' in text ? [String(text.content)] : [],
  );
  return {
    id,
    by: { id: from.openId, name: from.name, isBot: 'appId' in from },
    at,
    ...readMessage(message, accounts),
    buttons,
    files: filesOf(message, fileName),
    edits: message.edits,
  };
}

/** A picture is a message of its own, or stands in a post; a file is called as it was when it was uploaded. */
function filesOf({ type, content }: Message, name = type): PlayFile[] {
  const { file_key: file } = parsed(content);
  if (typeof file === 'string') return [{ id: file, name, isImage: false }];
  const images = [...content.matchAll(/"image_key":\s*"([^"]+)"/g)];
  return images.map(([, key = '']) => ({ id: key, name: 'image', isImage: true }));
}

function forgeriesOf(url: string, app: App): Request[] {
  const event = JSON.stringify({
    schema: '2.0',
    header: { event_id: 'forged', event_type: 'im.message.receive_v1', app_id: app.appId, token: VERIFICATION_TOKEN },
    event: {},
  });
  const now = String(Math.floor(Date.now() / 1_000));
  const longAgo = String(Number(now) - 7_200);
  const post = (body: string, timestamp?: string, signature?: string): Request =>
    new Request(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        ...(timestamp === undefined ? {} : { 'x-lark-request-timestamp': timestamp, 'x-lark-request-nonce': 'n' }),
        ...(signature === undefined ? {} : { 'x-lark-signature': signature }),
      },
    });
  const body = JSON.stringify({ encrypt: encryptEvent(event, ENCRYPT_KEY) });
  return [
    post(event),
    post(body),
    post(body, now, 'beef'),
    post(body, now, signEvent(now, 'n', 'another key', body)),
    post(body.slice(0, -9), now, signEvent(now, 'n', ENCRYPT_KEY, body)),
    post(body, longAgo, signEvent(longAgo, 'n', ENCRYPT_KEY, body)),
  ];
}
