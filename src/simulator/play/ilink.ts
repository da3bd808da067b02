import { type Chat, type ChatMessage, type Person, startIlink } from '../wechat/ilink/index.ts';
import { found } from './found.ts';
import type { Look, PlayChat, PlayFile, Playground, PlayMessage, Said } from './port.ts';
import { withQuoted } from './quoted.ts';
import { Reading } from './reading.ts';

export interface IlinkPlay {
  /** Who holds Ann's phone before a code: nobody has to, or whoever plays. Default: `nobody`. */
  readonly scans?: 'nobody' | 'player';
}

/** How long WeChat's apps show that somebody types. */
const TYPING_MS = 5_000;

/** A WeChat whose people talk to a bot by iLink, which is logged in by Ann's phone. */
export async function playIlink({ scans = 'nobody' }: IlinkPlay = {}): Promise<Playground> {
  const wechat = await startIlink();
  const people = { ann: wechat.addPerson('Ann'), bo: wechat.addPerson('小波') };
  const bot = wechat.logins.reserve(people.ann);
  if (scans === 'nobody') wechat.logins.auto = people.ann;
  // Nobody looks at older codes any more.
  const waiting = () => wechat.logins.codes.slice(-1).find(({ state }) => state.name === 'wait');
  const chats = { ann: wechat.chatOf(people.ann, bot), bo: wechat.chatOf(people.bo, bot) };
  const playChat = ({ person }: Chat): PlayChat => ({ id: person.id, kind: 'dm', title: 'Antler' });
  const chatOf = ({ id }: PlayChat): Chat => found(Object.values(chats).find(({ person }) => person.id === id));
  const personOf = ({ id }: { readonly id: string }): Person =>
    found(Object.values(people).find((person) => person.id === id));
  const messageOf = (chat: PlayChat, id: string): ChatMessage =>
    found(chatOf(chat).messages.find((message) => message.id === id));

  return {
    type: 'wechat',
    title: 'WeChat',
    settings: { transport: 'ilink', api_root: wechat.url, cdn_root: wechat.cdnUrl },
    botName: '@Antler',
    ann: { id: people.ann.id, name: people.ann.name, language: 'en' },
    bo: { id: people.bo.id, name: people.bo.name, language: 'zh' },
    annAlone: playChat(chats.ann),
    boAlone: playChat(chats.bo),
    say: async (who, chat, said) => {
      const { id } = wechat.people.say(personOf(who), bot, said.text, {
        ...fileOf(said.file),
        ...(said.quoting === undefined ? {} : { quoting: messageOf(chat, said.quoting) }),
      });
      return id;
    },
    recall: async (_, chat, id) => wechat.people.recall(messageOf(chat, id)),
    shown: (chat) => {
      const messages = chatOf(chat).messages.filter(({ recalledAt }) => recalledAt === undefined);
      return withQuoted(
        messages.map(playMessage),
        messages.map(({ quoting }) => quoting?.id),
      );
    },
    content: ({ id }) =>
      found(
        Object.values(chats)
          .flatMap(({ messages }) => messages)
          .find((message) => message.id === id)?.file,
      ).content,
    subscribe: (listener) => {
      const endChats = wechat.subscribe((event) => {
        if (!('chat' in event)) return;
        const chat = playChat(event.chat);
        if (event.type === 'typing') listener({ type: 'typing', chat, forMs: event.shown ? TYPING_MS : 0 });
        else listener({ type: 'chat', chat });
      });
      const endLogins = wechat.logins.subscribe(() => listener({ type: 'login' }));
      return () => {
        endChats();
        endLogins();
      };
    },
    login: {
      waiting: () => waiting()?.content,
      scan: () => void wechat.logins.confirm(found(waiting()), people.ann),
    },
    redeliver: async () => wechat.people.redeliver(bot),
    stop: () => wechat.stop(),
  };
}

function fileOf(file: Said['file']) {
  if (file === undefined) return {};
  const kind = file.mime.startsWith('image/') ? ('image' as const) : ('file' as const);
  return { file: { kind, name: file.name, content: file.content } };
}

function playMessage(message: ChatMessage): PlayMessage {
  const { id, from, fromBot, at, text, file } = message;
  const files: PlayFile[] = file === undefined ? [] : [{ id, name: file.name, isImage: file.kind === 'image' }];
  return {
    ...{ id, at, files },
    ...(fromBot ? withCode(text) : { text, looks: [] }),
    by: { id: from.id, name: 'name' in from ? from.name : 'Antler', isBot: fromBot },
    buttons: [],
    edits: 0,
  };
}

/** Of Markdown, code alone is shown otherwise than it is written. */
function withCode(raw: string): { readonly text: string; readonly looks: readonly Look[] } {
  const out = new Reading();
  let from = 0;
  for (const { 0: token, 1: block, 2: code = '', index } of raw.matchAll(/```[^\n]*\n([\s\S]*?)\n```|`([^`\n]+)`/g)) {
    out.add(raw.slice(from, index));
    out.look(block === undefined ? 'code' : 'block', () => out.add(block ?? code));
    from = index + token.length;
  }
  out.add(raw.slice(from));
  return { text: out.text, looks: out.looks };
}
