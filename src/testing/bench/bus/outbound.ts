import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryId } from '../../../base/ids.ts';
import type { NewDelivery } from '../../../bus/port.ts';
import { atMost, count, type Figure, percent, times } from './figure.ts';
import { newPrefix, startGround } from './ground.ts';
import { limits, startStrictPlatform, type Window } from './strict-platform.ts';

const SENDERS = 2;
const WITHIN_MS = 60_000;
const CHATS = { chats: 40, perChat: 10, groups: 5, perGroup: 40 } as const;

/** 600 messages at once for forty people and five groups, through a platform that refuses whatever is too fast. */
export async function measureOutbound(): Promise<readonly Figure[]> {
  await using owner = new AsyncDisposableStack();
  const ground = await startGround(owner);
  const prefix = newPrefix();
  const platform = await startStrictPlatform();
  owner.defer(() => platform.close());
  const bus = await ground.openBus(prefix);
  const script = join(import.meta.dirname, 'sender.child.ts');
  for (let sender = 0; sender < SENDERS; sender++) {
    const child = fork(script, [JSON.stringify({ url: ground.url, prefix, platform: platform.url })]);
    owner.defer(() => void child.kill('SIGKILL'));
    await new Promise((resolve) => child.once('message', resolve));
  }
  const deliveries = makeDeliveries();
  const startedAt = Date.now();
  await bus.outbox.enqueue(deliveries);
  for (const deadline = startedAt + WITHIN_MS; platform.accepted.length < deliveries.length; await sleep(50))
    if (Date.now() > deadline) throw new Error(`${platform.accepted.length} of ${deliveries.length} were sent`);
  const took = (platform.accepted.at(-1)?.at ?? 0) - startedAt;
  return [
    atMost('outbound: messages out of order', disorderedIn(platform.accepted), 0, count, ` of ${deliveries.length}`),
    atMost('outbound: share refused as too fast (429)', platform.refused() / platform.requests(), 0.05, percent),
    atMost(
      'outbound: time for all ÷ the least that the limits allow',
      took / idealMs(),
      2,
      times,
      ` (${(took / 1000).toFixed(1)} s)`,
    ),
  ];
}

function makeDeliveries(): readonly NewDelivery[] {
  const { chats, perChat, groups, perGroup } = CHATS;
  const made: NewDelivery[] = [];
  for (let n = 0; n < Math.max(perChat, perGroup); n++) {
    for (let chat = 0; chat < chats && n < perChat; chat++) made.push(delivery(`chat-${chat}`, n));
    for (let group = 0; group < groups && n < perGroup; group++) made.push(delivery(`group-${group}`, n));
  }
  return made;
}

function delivery(chat: string, n: number): NewDelivery {
  const isGroup = chat.startsWith('group');
  const limit = (scope: string, window: Window) => ({ scope, ...window });
  return {
    id: `${chat}:${n}:0` as DeliveryId,
    channel: 'bench',
    target: { chat, chatKind: isGroup ? 'group' : 'dm' },
    document: { markdown: String(n) },
    limits: [
      limit('bench', limits.all),
      limit(`bench:chat:${chat}`, limits.chat),
      ...(isGroup ? [limit(`bench:group:${chat}`, limits.group)] : []),
    ],
    at: Date.now(),
    resendForMs: 0,
  };
}

/** The limits alone, with nothing lost between them. */
function idealMs(): number {
  const { chats, perChat, groups, perGroup } = CHATS;
  const all = chats * perChat + groups * perGroup;
  const least = (messages: number, { count: most, windowMs }: Window): number =>
    (Math.ceil(messages / most) - 1) * windowMs;
  return Math.max(
    least(all, limits.all),
    least(Math.max(perChat, perGroup), limits.chat),
    least(perGroup, limits.group),
  );
}

function disorderedIn(accepted: readonly { readonly chat: string; readonly n: number }[]): number {
  const newest = new Map<string, number>();
  let disordered = 0;
  for (const { chat, n } of accepted) {
    if (n !== (newest.get(chat) ?? -1) + 1) disordered += 1;
    newest.set(chat, n);
  }
  return disordered;
}
