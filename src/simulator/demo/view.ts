import type { Language } from '../../base/sentences.ts';
import { type Chat, displayName, type Message, type User, type WireEntity } from '../telegram/index.ts';
import type { Cast, Pane } from './cast.ts';

/** What the page knows of somebody. */
export interface UserView {
  readonly id: number;
  readonly name: string;
  readonly username: string;
  readonly isBot: boolean;
}

/** A message as the page shows it. */
export interface MessageView {
  readonly id: number;
  readonly by: UserView;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  readonly entities: readonly WireEntity[];
  /** How often it was edited. */
  readonly edits: number;
  readonly reply?: { readonly id: number; readonly name: string; readonly text: string };
  readonly buttons: readonly (readonly { readonly label: string; readonly url?: string }[])[];
  /** The name of a file that came along. */
  readonly file?: string;
  /** A service message: somebody came or went. */
  readonly service?: { readonly kind: 'joined' | 'left' | 'other'; readonly name: string };
  readonly reactions: readonly string[];
}

export interface PaneView {
  readonly key: string;
  readonly language: Language;
  readonly me: UserView;
  readonly chat: {
    readonly kind: 'private' | 'group';
    readonly title: string;
    readonly others: readonly UserView[];
  };
  readonly messages: readonly MessageView[];
}

export interface Snapshot {
  readonly panes: readonly PaneView[];
  /** What the bot offers in its menu. */
  readonly commands: readonly { readonly command: string; readonly description: string }[];
}

/** What goes to the page as it happens. */
export type PageEvent =
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly type: 'message'; readonly panes: readonly string[]; readonly message: MessageView }
  | { readonly type: 'remove'; readonly panes: readonly string[]; readonly id: number }
  | { readonly type: 'typing'; readonly panes: readonly string[]; readonly name: string; readonly forMs: number }
  /** The bot answered a press; only who pressed sees it. */
  | { readonly type: 'answer'; readonly panes: readonly string[]; readonly text: string };

const userView = (user: User): UserView => ({
  id: user.id,
  name: displayName(user),
  username: user.username ?? '',
  isBot: user.isBot,
});

const maxReplyChars = 120;

export function messageView(message: Message): MessageView {
  const { content, replyTo, media } = message;
  const service = serviceView(message);
  const file = media === undefined ? undefined : fileName(media.kind, media.fields);
  return {
    id: message.id,
    by: userView(message.from),
    at: message.at,
    text: content.text,
    entities: content.entities,
    edits: message.history.length - 1,
    buttons: (message.keyboard?.inline_keyboard ?? []).map((row) =>
      row.map(({ text, url }) => (url === undefined ? { label: text } : { label: text, url })),
    ),
    reactions: [...message.reactions.values()].flat(),
    ...(replyTo === undefined
      ? {}
      : {
          reply: {
            id: replyTo.id,
            name: displayName(replyTo.from),
            text: (message.quote?.text ?? replyTo.content.text).slice(0, maxReplyChars).toWellFormed(),
          },
        }),
    ...(service === undefined ? {} : { service }),
    ...(file === undefined ? {} : { file }),
  };
}

function fileName(kind: string, fields: Readonly<Record<string, unknown>>): string {
  const described = fields[kind];
  const name =
    typeof described === 'object' && described !== null && 'file_name' in described ? described.file_name : undefined;
  return typeof name === 'string' && name !== '' ? name : kind;
}

function serviceView({ service }: Message): MessageView['service'] {
  if (service === undefined) return undefined;
  const joined = Array.isArray(service.new_chat_members) ? service.new_chat_members[0] : undefined;
  const kind = joined !== undefined ? 'joined' : service.left_chat_member !== undefined ? 'left' : 'other';
  const who: unknown = joined ?? service.left_chat_member;
  const name = typeof who === 'object' && who !== null && 'first_name' in who ? String(who.first_name) : '';
  return { kind, name };
}

const maxShown = 200;

const visible = (chat: Chat): readonly Message[] =>
  chat.messages.filter(({ deletedAt }) => deletedAt === undefined).slice(-maxShown);

function paneView({ key, person, chat }: Pane, { bot }: Cast): PaneView {
  const others = [...chat.members.values()].map(({ user }) => user).filter(({ id }) => id !== person.user.id);
  const isPrivate = chat.kind === 'private';
  return {
    key,
    language: person.language,
    me: userView(person.user),
    chat: {
      kind: isPrivate ? 'private' : 'group',
      title: isPrivate ? displayName(bot.user) : chat.title,
      // The bot comes first: it is whom one mentions most.
      others: others.map(userView).sort((a, b) => Number(b.isBot) - Number(a.isBot)),
    },
    messages: visible(chat).map(messageView),
  };
}

export const snapshotOf = (cast: Cast): Snapshot => ({
  panes: cast.panes.map((pane) => paneView(pane, cast)),
  commands: [...cast.bot.commands.values()][0] ?? [],
});
