import type { CallRecord } from '../../simulator/telegram/calls.ts';
import {
  type Bot,
  type Chat,
  type Message,
  startTelegram,
  type TelegramSimulator,
  type User,
} from '../../simulator/telegram/index.ts';
import { tagged } from '../bench/stage.ts';
import { peopleIn, type Room, type Shown, type Side, speakerOf } from './side.ts';

/**
 * A message is made at once when its call has been read. The whole answer may follow a cut-off stand of the same words
 * within half a second, and is not that stand.
 */
const SAME_MS = 50;

/** A Telegram with many bots, each a channel of its own, so that the platform's limit for one does not bound the run. */
export async function startTelegramSide(size: { bots: number; chats: number }): Promise<Side> {
  const telegram = await startTelegram({ flood: true });
  const bots = Array.from({ length: size.bots }, (_, index) => telegram.addBot({ username: `chaos_${index}_bot` }));
  const rooms = bots.flatMap((bot, first) =>
    Array.from({ length: Math.ceil((size.chats - first) / bots.length) }, (_, n) =>
      openRoom(telegram, bot, first + n * bots.length),
    ),
  );
  const channels = bots.map(({ token }, index) => [
    `telegram-${index}`,
    { type: 'telegram', bot_token: token, api_root: telegram.url },
  ]);
  return {
    name: 'Telegram',
    knowsRepeats: false,
    rooms: rooms.map(({ room }) => room),
    channels: Object.fromEntries(channels),
    hear: (listener) =>
      telegram.events.subscribe((event) => {
        if ((event.type === 'message' || event.type === 'edit') && event.message.from.isBot)
          listener(event.message.content.text, event.type === 'message');
      }),
    dropAnswers: (share) => {
      let planned = 0;
      const end = telegram.events.subscribe((event) => {
        if (event.type !== 'message' || !event.message.from.isBot || Math.random() >= share) return;
        planned += 1;
        telegram.faults.plan('sendMessage', { kind: 'drop', processed: true });
      });
      return {
        count: () => planned,
        end: () => {
          end();
          telegram.faults.clear();
        },
      };
    },
    shown: () => {
      const stands = Map.groupBy(telegram.calls.list('sendMessage').filter(isStand), chatOf);
      return new Map(
        rooms.map(({ room, chat, bot }) => [room, shownIn(telegram, chat, bot, stands.get(String(chat.id)) ?? [])]),
      );
    },
    repeats: () => 0,
    stop: () => telegram.stop(),
  };
}

/** A room, and what it is on the platform. */
interface OwnRoom {
  readonly room: Room;
  readonly chat: Chat;
  readonly bot: Bot;
}

function openRoom(telegram: TelegramSimulator, bot: Bot, index: number): OwnRoom {
  const person = (): User => telegram.addUser({ firstName: 'Ann', language: 'en' });
  const people = Array.from({ length: peopleIn(index) }, person);
  const [ann] = people;
  const isPrivate = people.length === 1 && ann !== undefined;
  const chat = isPrivate
    ? telegram.openPrivateChat(ann, bot)
    : telegram.addGroup({ title: `Group ${index}`, members: [...people, bot] });
  const mention = isPrivate ? '' : `@${bot.user.username} `;
  const room: Room = {
    takesTurns: false,
    ask: (number) => {
      telegram.people.say(speakerOf(people, number), chat, `${mention}${tagged(number)}`);
    },
    newestAgain: () => {
      const update = bot.updates.newest;
      return update === undefined ? undefined : () => bot.updates.redeliver(update);
    },
  };
  return { room, chat, bot };
}

const shownIn = (
  telegram: TelegramSimulator,
  chat: Chat,
  { user }: Bot,
  stands: readonly CallRecord[],
): readonly Shown[] =>
  telegram
    .visible(chat)
    .filter(({ from }) => from.id === user.id)
    .map((message) => ({
      text: message.content.text,
      orphaned: message.history.length === 1 && stands.some((call) => isOf(call, message)),
    }));

const chatOf = ({ params }: CallRecord): string => String(params.chat_id);

/** The adapter asks for link previews only once a text is whole. */
const isStand = ({ params }: CallRecord): boolean => params.link_preview_options !== undefined;

const isOf = ({ params, readAt }: CallRecord, message: Message): boolean =>
  params.text === message.history[0]?.text && Math.abs(readAt - message.at) < SAME_MS;
