import { MENU } from '../../base/commands.ts';
import { type Language, say } from '../../base/sentences.ts';
import type { PlayChat, Player, Playground, PlayMessage } from '../play/port.ts';
import { type PlayerKey, type Seat, type SeatKey, seatsOf } from './stage.ts';

export interface SeatView {
  readonly key: SeatKey;
  readonly kind: PlayChat['kind'];
  readonly title: string;
  readonly players: readonly PlayerKey[];
  readonly messages: readonly PlayMessage[];
}

export interface PlatformView {
  readonly key: string;
  readonly title: string;
  readonly botName: string;
  readonly players: Readonly<Record<PlayerKey, Player>>;
  readonly seats: readonly SeatView[];
  /** What people can do with messages here. */
  readonly can: { readonly edit: boolean; readonly recall: boolean };
  /** The bot waits for somebody to scan its code; the number is another one for each code. */
  readonly login?: LoginView;
}

/** The picture of a code that waits to be scanned, or that none does. */
export type LoginView = { readonly waits: false } | { readonly waits: true; readonly picture: string };

export interface CommandView {
  readonly name: string;
  readonly description: Readonly<Record<Language, string>>;
}

export interface Snapshot {
  readonly platforms: readonly PlatformView[];
  readonly commands: readonly CommandView[];
}

/** What goes to the page as it happens. */
export type PageEvent =
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
  | {
      readonly type: 'chat';
      readonly platform: string;
      readonly seat: SeatKey;
      /** New or changed, oldest first. */
      readonly messages: readonly PlayMessage[];
      /** The ids of those that are not shown any more. */
      readonly gone: readonly string[];
    }
  | { readonly type: 'typing'; readonly platform: string; readonly seat: SeatKey; readonly forMs: number }
  | { readonly type: 'login'; readonly platform: string; readonly login: LoginView };

const MAX_SHOWN = 200;
const MAX_QUOTE_UTF16 = 120;

/** The chat's newest messages; of what they quote, the beginning. */
export function messagesOf(play: Playground, { chat }: Seat): readonly PlayMessage[] {
  return play
    .shown(chat)
    .slice(-MAX_SHOWN)
    .map((message) => ({
      ...message,
      ...(message.quoting === undefined
        ? {}
        : { quoting: { ...message.quoting, text: message.quoting.text.slice(0, MAX_QUOTE_UTF16).toWellFormed() } }),
    }));
}

export function loginOf({ type, login }: Playground): LoginView {
  const code = login?.waiting();
  return code === undefined
    ? { waits: false }
    : { waits: true, picture: `codes/${type}?${new URLSearchParams({ code })}` };
}

function platformView(play: Playground): PlatformView {
  const { type, title, botName, ann, bo, edit, recall, login } = play;
  return {
    key: type,
    title,
    botName,
    players: { ann, bo },
    seats: seatsOf(play).map((seat) => ({
      key: seat.key,
      kind: seat.chat.kind,
      title: seat.chat.title,
      players: seat.players,
      messages: messagesOf(play, seat),
    })),
    can: { edit: edit !== undefined, recall: recall !== undefined },
    ...(login === undefined ? {} : { login: loginOf(play) }),
  };
}

const commands = MENU.map(({ name, menu }) => ({ name, description: { en: say('en', menu), zh: say('zh', menu) } }));

export const snapshotOf = (plays: readonly Playground[]): Snapshot => ({
  platforms: plays.map(platformView),
  commands,
});
