import { type App, type Chat, type FeishuSimulator, startFeishu } from '../../simulator/feishu/index.ts';
import { tagged } from '../bench/stage.ts';
import { peopleIn, type Room, type Side, speakerOf } from './side.ts';

/**
 * The platform tells again of what was not acknowledged after 15 s, then after 5 min, 1 h and 6 h; with a process killed
 * every second, somebody would wait for the second of these, and the storm for them.
 */
const TOLD_AGAIN_MS = [2_000, 5_000, 10_000, 15_000, 15_000, 15_000] as const;

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
    rooms,
    channels: Object.fromEntries(channels),
    hear: (listener) =>
      feishu.events.subscribe((event) => {
        if ((event.type === 'message' || event.type === 'edit') && 'appId' in event.message.from)
          listener(feishu.text(event.message), event.type === 'message');
      }),
    dropAnswers: (share) => dropAnswers(feishu, share),
    stop: () => feishu.stop(),
  };
}

function openRoom(feishu: FeishuSimulator, app: App, index: number): Room {
  const people = Array.from({ length: peopleIn(index) }, () => feishu.addUser('Ann'));
  const [ann] = people;
  const isPrivate = people.length === 1 && ann !== undefined;
  const chat = isPrivate
    ? feishu.openDirectChat(ann, app)
    : feishu.addGroup({ title: `Group ${index}`, users: people, apps: [app] });
  const mention = isPrivate ? '' : `@${app.name} `;
  return {
    // What was not acknowledged is told again when later messages have long come.
    takesTurns: true,
    ask: (number) => {
      feishu.people.say(speakerOf(people, number), chat, `${mention}${tagged(number)}`);
    },
    newestAgain: () => {
      const push = feishu.pushes.findLast((one) => one.app === app && one.type === 'im.message.receive_v1');
      return push === undefined ? undefined : () => feishu.redeliver(push);
    },
    shown: () => shownIn(feishu, chat, app),
  };
}

const shownIn = (feishu: FeishuSimulator, chat: Chat, app: App): ReturnType<Room['shown']> =>
  feishu
    .visible(chat)
    .filter(({ from }) => from === app)
    .map((message) => ({ text: feishu.text(message), orphaned: message.card?.streamingSince !== undefined }));

function dropAnswers(feishu: FeishuSimulator, share: number): ReturnType<Side['dropAnswers']> {
  let planned = 0;
  const end = feishu.events.subscribe((event) => {
    if (event.type !== 'message' || !('appId' in event.message.from) || Math.random() >= share) return;
    planned += 1;
    const isReply = event.message.parentId !== undefined;
    feishu.faults.plan(isReply ? 'POST /im/v1/messages/:id/reply' : 'POST /im/v1/messages', {
      kind: 'drop',
      processed: true,
    });
  });
  return {
    count: () => planned,
    end: () => {
      end();
      feishu.faults.clear();
    },
  };
}
