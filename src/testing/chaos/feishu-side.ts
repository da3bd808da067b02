import { type App, type Chat, type FeishuSimulator, startFeishu } from '../../simulator/feishu/index.ts';
import { tagged } from '../bench/stage.ts';
import { type Drops, peopleIn, type Room, type Shown, type Side, speakerOf } from './side.ts';

/**
 * The platform tells again of what was not acknowledged after 15 s, then after 5 min, 1 h and 6 h; with a process killed
 * every second, somebody would wait for the second of these, and the storm for them.
 */
const TOLD_AGAIN_MS = [2_000, 5_000, 10_000, 15_000, 15_000, 15_000] as const;

const CREATE = 'POST /im/v1/messages';
const REPLY = 'POST /im/v1/messages/:id/reply';
const SENDS = [CREATE, REPLY];

/** A Feishu with some apps, each a channel of its own. It sends what has the same `uuid` once. */
export async function startFeishuSide(size: { apps: number; chats: number }): Promise<Side> {
  const feishu = await startFeishu({ flood: true, limits: { retryMs: TOLD_AGAIN_MS } });
  const apps = Array.from({ length: size.apps }, (_, index) => feishu.addApp({ name: `Chaos${index}` }));
  const rooms = apps.flatMap((app, first) =>
    Array.from({ length: Math.ceil((size.chats - first) / apps.length) }, (_, n) =>
      openRoom(feishu, app, first + n * apps.length),
    ),
  );
  const channels = apps.map(({ appId, secret }, index) => [
    `feishu-${index}`,
    { type: 'feishu', app_id: appId, app_secret: secret, domain: feishu.url },
  ]);
  return {
    name: 'Feishu',
    knowsRepeats: true,
    rooms: rooms.map(({ room }) => room),
    channels: Object.fromEntries(channels),
    hear: (listener) =>
      feishu.events.subscribe((event) => {
        if ((event.type === 'message' || event.type === 'edit') && 'appId' in event.message.from)
          listener(feishu.text(event.message), event.type === 'message');
      }),
    dropAnswers: (share) => dropAnswers(feishu, share),
    shown: () => new Map(rooms.map(({ room, chat, app }) => [room, shownIn(feishu, chat, app)])),
    repeats: () => {
      const uuids = SENDS.flatMap((method) => feishu.calls.list(method)).flatMap(({ code, app, body }) =>
        code === 0 ? [`${app} ${String(body.uuid)}`] : [],
      );
      return uuids.length - new Set(uuids).size;
    },
    stop: () => feishu.stop(),
  };
}

/** A room, and what it is on the platform. */
interface OwnRoom {
  readonly room: Room;
  readonly chat: Chat;
  readonly app: App;
}

function openRoom(feishu: FeishuSimulator, app: App, index: number): OwnRoom {
  const people = Array.from({ length: peopleIn(index) }, () => feishu.addUser('Ann'));
  const [ann] = people;
  const isPrivate = people.length === 1 && ann !== undefined;
  const chat = isPrivate
    ? feishu.openDirectChat(ann, app)
    : feishu.addGroup({ title: `Group ${index}`, users: people, apps: [app] });
  const mention = isPrivate ? '' : `@${app.name} `;
  const room: Room = {
    // What was not acknowledged is told again when later messages have long come.
    takesTurns: true,
    ask: (number) => {
      feishu.people.say(speakerOf(people, number), chat, `${mention}${tagged(number)}`);
    },
    newestAgain: () => {
      const push = feishu.pushes.findLast((one) => one.app === app && one.type === 'im.message.receive_v1');
      return push === undefined ? undefined : () => feishu.redeliver(push);
    },
  };
  return { room, chat, app };
}

const shownIn = (feishu: FeishuSimulator, chat: Chat, app: App): readonly Shown[] =>
  feishu
    .visible(chat)
    .filter(({ from }) => from === app)
    .map((message) => ({ text: feishu.text(message), orphaned: message.card?.streamingSince !== undefined }));

function dropAnswers(feishu: FeishuSimulator, share: number): Drops {
  let planned = 0;
  const end = feishu.events.subscribe((event) => {
    if (event.type !== 'message' || !('appId' in event.message.from) || Math.random() >= share) return;
    planned += 1;
    const isReply = event.message.parentId !== undefined;
    feishu.faults.plan(isReply ? REPLY : CREATE, { kind: 'drop', processed: true });
  });
  return {
    count: () => planned,
    end: () => {
      end();
      feishu.faults.clear();
    },
  };
}
