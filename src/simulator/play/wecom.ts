import { keysOf } from '../wecom/callbacks.ts';
import { claim, encrypted, signed } from '../wecom/crypto.ts';
import { type App, type Bot, type Chat, type Message, type Person, startWecom } from '../wecom/index.ts';
import { found } from './found.ts';
import { readMarkdown } from './markdown.ts';
import type { Look, PlayChat, Playground, PlayMessage } from './port.ts';
import { withQuoted } from './quoted.ts';
import { Reading } from './reading.ts';

export interface WecomPlay {
  readonly transport?: 'websocket' | 'callback' | 'app';
  /** Enforces the published rates. Default: false. */
  readonly flood?: boolean;
}

/** An answer without a word shows as long as there is none; so long at most. */
const THINKING_MS = 20_000;

/** A WeCom with Ann, Bo and an AI bot, or an app, in it. */
export async function playWecom({ transport = 'websocket', flood = false }: WecomPlay = {}): Promise<Playground> {
  const wecom = await startWecom({ flood, limits: { retryMs: [20, 20, 20], pollMs: 20 } });
  const one: Bot | App = transport === 'app' ? wecom.addApp('Antler') : wecom.addBot('Antler');
  const people = { ann: wecom.addPerson('Ann', 'ann'), bo: wecom.addPerson('小波', 'xiaobo') };
  const chats = { ann: wecom.openDirectChat(people.ann, one), bo: wecom.openDirectChat(people.bo, one) };
  const team =
    one.kind === 'bot' ? wecom.addGroup({ title: 'Team 小组', people: Object.values(people), bot: one }) : undefined;
  const playChat = (chat: Chat): PlayChat => ({ id: chat.id, kind: chat.kind, title: chat.title });
  const chatOf = ({ id }: PlayChat): Chat => found(wecom.chats.find((chat) => chat.id === id));
  const personOf = ({ id }: { readonly id: string }): Person =>
    found(Object.values(people).find(({ userId }) => userId === id));
  const messageOf = (chat: PlayChat, id: string): Message =>
    found(chatOf(chat).messages.find((message) => message.id === id));
  const group = team === undefined ? {} : { group: playChat(team) };

  return {
    type: 'wecom',
    title: 'WeCom',
    settings: settingsOf(one, transport, wecom),
    botName: `@${one.name}`,
    ann: { id: people.ann.userId, name: people.ann.name, language: 'en' },
    bo: { id: people.bo.userId, name: people.bo.name, language: 'zh' },
    annAlone: playChat(chats.ann),
    boAlone: playChat(chats.bo),
    ...group,
    ...(one.kind === 'app' ? { quotes: false } : {}),
    ...(transport === 'callback' ? { answersPerMessage: 2 } : {}),
    say: async (who, chat, { text, toBot, quoting, file }) => {
      if (file !== undefined) {
        const kind = file.mime.startsWith('image/') ? ('image' as const) : ('file' as const);
        const { id } = wecom.people.send(personOf(who), chatOf(chat), { kind, name: file.name, content: file.content });
        if (text === '') return id;
      }
      const written = toBot === true && chat.kind === 'group' ? `@${one.name} ${text}` : text;
      const quoted = quoting === undefined ? {} : { quoting: messageOf(chat, quoting) };
      return wecom.people.say(personOf(who), chatOf(chat), written, quoted).id;
    },
    press: async (who, chat, id, label) => wecom.people.press(personOf(who), messageOf(chat, id), label),
    shown: (chat) => {
      const messages = wecom.visible(chatOf(chat));
      return withQuoted(
        messages.map((message) => playMessage(message, `@${one.name}`)),
        messages.map(({ quoting }) => quoting?.id),
      );
    },
    content: ({ id }) =>
      found(wecom.chats.flatMap(({ messages }) => messages).find(({ file }) => file?.id === id)?.file).content,
    subscribe: (listener) =>
      wecom.events.subscribe((event) => {
        const chat = playChat(event.chat);
        if (event.type === 'typing') listener({ type: 'typing', chat, forMs: THINKING_MS });
        else listener({ type: 'chat', chat });
      }),
    redeliver: async () => wecom.redeliver(found(wecom.pushes.at(-1))),
    ...(transport === 'websocket'
      ? {}
      : {
          connect: (url: string) => wecom.register(one, url),
          forgeries: async (url: string) => forgeriesOf(url, one),
        }),
    stop: () => wecom.stop(),
  };
}

function settingsOf(
  one: Bot | App,
  transport: NonNullable<WecomPlay['transport']>,
  { url, wsUrl }: { readonly url: string; readonly wsUrl: string },
): Record<string, unknown> {
  const keys = { transport, token: one.token, encoding_aes_key: one.aesKey, api_root: url };
  if (one.kind === 'app') return { ...keys, corp_id: one.corpId, agent_id: one.agentId, corp_secret: one.secret };
  return transport === 'callback' ? keys : { transport, bot_id: one.id, secret: one.secret, ws_url: wsUrl };
}

function playMessage(message: Message, botName: string): PlayMessage {
  const { id, from, fromBot, at, text, card, file, history } = message;
  return {
    id,
    by: { id: 'userId' in from ? from.userId : from.name, name: from.name, isBot: fromBot },
    at,
    ...(fromBot ? read(text) : { text, looks: looksOf(message, botName) }),
    buttons: card === undefined || card.replaced !== undefined ? [] : card.buttons.map((button) => button.text),
    files: file === undefined ? [] : [{ id: file.id, name: file.name, isImage: file.kind === 'image' }],
    edits: history.length - 1,
  };
}

/** Of what people write, the bot's name alone looks otherwise, where it calls the bot. */
const looksOf = ({ text, chat }: Message, botName: string): Look[] =>
  chat.kind === 'group' && text.startsWith(botName) ? [{ kind: 'mention', offset: 0, length: botName.length }] : [];

/** As WeCom's apps show what bots say. */
function read(markdown: string): { readonly text: string; readonly looks: readonly Look[] } {
  const out = new Reading();
  readMarkdown(markdown, out, { literal: true });
  return { text: out.text, looks: out.looks };
}

/** Requests that WeCom did not make. */
function forgeriesOf(url: string, one: Bot | App): Request[] {
  const keys = keysOf(one);
  const body = {
    msgid: 'forged',
    from: { userid: 'eve' },
    chattype: 'single',
    msgtype: 'text',
    text: { content: 'forged' },
  };
  const xml =
    '<xml><FromUserName>eve</FromUserName><MsgType>text</MsgType><Content>forged</Content><MsgId>1</MsgId></xml>';
  const plain = one.kind === 'bot' ? JSON.stringify(body) : xml;
  const message = encrypted(plain, keys);
  const wrap = (text: string): string =>
    one.kind === 'bot' ? JSON.stringify({ encrypt: text }) : `<xml><Encrypt>${text}</Encrypt></xml>`;
  const post = (content: string, query: Record<string, string> = {}): Request => {
    const address = new URL(url);
    address.search = new URLSearchParams(query).toString();
    return new Request(address, { method: 'POST', body: content });
  };
  const right = claim(message, keys, Date.now());
  const other = encrypted(plain, { ...keys, receiver: 'ww_another_company' });
  return [
    post(plain),
    post(wrap(message)),
    post(plain, right),
    post(wrap(message), {
      ...right,
      msg_signature: signed('another token', right.timestamp ?? '', right.nonce ?? '', message),
    }),
    post(wrap(message.slice(0, -8)), right),
    post(wrap(message).slice(0, -9), right),
    post(wrap(message), claim(message, keys, Date.now() - 7_200_000)),
    post(wrap(other), claim(other, keys, Date.now())),
    new Request(`${url}?${new URLSearchParams({ ...right, echostr: other })}`),
  ];
}
