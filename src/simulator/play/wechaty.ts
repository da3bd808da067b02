import { type Chat, type Contact, isRoom, type Message, startWechaty } from '../wechat/wechaty/index.ts';
import { found } from './found.ts';
import type { Look, PlayChat, PlayFile, Playground, PlayMessage, Said } from './port.ts';

/** A WeChat with Ann, Bo and an account that wechaty plays, all three in a room as well. */
export async function playWechaty(): Promise<Playground> {
  const wechat = await startWechaty();
  const people = { ann: wechat.addContact('Ann'), bo: wechat.addContact('小波') };
  const room = wechat.addRoom({ topic: 'Team 小组', members: [people.ann, people.bo] });
  const chats: readonly Chat[] = [people.ann, people.bo, room];
  const playChat = (chat: Chat): PlayChat =>
    isRoom(chat)
      ? { id: chat.id, kind: 'group', title: chat.topic }
      : { id: chat.id, kind: 'dm', title: wechat.account.name };
  const chatOf = ({ id }: { readonly id: string }): Chat => found(chats.find((chat) => chat.id === id));
  const personOf = ({ id }: { readonly id: string }): Contact =>
    found(Object.values(people).find((person) => person.id === id));
  const all = (): readonly Message[] => chats.flatMap((chat) => wechat.visible(chat));
  const messageOf = (id: string): Message => found(all().find((message) => message.id === id));
  let newest: Message | undefined;

  return {
    type: 'wechat',
    title: 'WeChat (wechaty)',
    settings: {
      transport: 'wechaty',
      puppet: 'wechaty-puppet-service',
      puppet_options: { token: wechat.token, endpoint: wechat.endpoint, tls: false },
    },
    botName: `@${wechat.account.name}`,
    ann: { id: people.ann.id, name: people.ann.name, language: 'en' },
    bo: { id: people.bo.id, name: people.bo.name, language: 'zh' },
    annAlone: playChat(people.ann),
    boAlone: playChat(people.bo),
    group: playChat(room),
    say: async (who, chat, said) => {
      const called = said.toBot === true && chat.kind === 'group';
      newest = wechat.people.say(
        personOf(who),
        chatOf(chat),
        called ? wechat.people.at(wechat.account, room) + said.text : said.text,
        {
          ...(called ? { mention: [wechat.account] } : {}),
          ...fileOf(said.file),
          ...(said.quoting === undefined ? {} : { quote: messageOf(said.quoting) }),
        },
      );
      return newest.id;
    },
    recall: async (_, __, id) => wechat.people.recall(messageOf(id)),
    shown: (chat) =>
      wechat
        .visible(chatOf(chat))
        .filter(({ type }) => type !== 'recalled')
        .map((message) => playMessage(message, wechat.account)),
    content: ({ id }) => found(messageOf(id).file).bytes,
    subscribe: (listener) => wechat.subscribe((chat) => listener({ type: 'chat', chat: playChat(chat) })),
    redeliver: async () => wechat.people.repeat(found(newest)),
    stop: () => wechat.stop(),
  };
}

function fileOf(file: Said['file']) {
  if (file === undefined) return {};
  const type = file.mime.startsWith('image/') ? ('image' as const) : ('attachment' as const);
  return { type, file: { name: file.name, bytes: file.content } };
}

function playMessage({ id, from, at, text, file, type, mentions }: Message, account: Contact): PlayMessage {
  const files: PlayFile[] = file === undefined ? [] : [{ id, name: file.name, isImage: type === 'image' }];
  return {
    ...{ id, at, text, files, looks: looksOf(text, mentions) },
    by: { id: from.id, name: from.name, isBot: from === account },
    buttons: [],
    edits: 0,
  };
}

/** The names that are called, in the order of the ids: the protocol does not say which is whose. */
function looksOf(text: string, mentions: readonly string[]): Look[] {
  const names = [...text.matchAll(/@[^@\u2005\n]+(?=\u2005)/g)];
  return names.flatMap(({ index, 0: name }, at) => {
    const user = mentions[at];
    return user === undefined ? [] : [{ kind: 'mention' as const, offset: index, length: name.length, user }];
  });
}
