import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Connection } from '../admin/operator.ts';
import type { MessageBus } from '../bus/port.ts';
import type { ConnectionStatus } from '../channel/port.ts';

export type ChannelStatus = ConnectionStatus | { readonly state: 'standby' };

/** Hears what a connection of this process does. */
export type StatusListener = (channel: string, status: ChannelStatus) => void;

/** What the connection of each channel does: here, or at the replica that holds it while we stand by. */
export interface Connections {
  report(channel: string, status: ChannelStatus): void;
  /** What this process does itself. */
  readonly own: ReadonlyMap<string, ChannelStatus>;
  /** What to show an owner, who may have come to any replica. */
  get(channel: string): Connection;
  /** Hears of this process's connections, first of what they do now; returns the function that ends it. */
  subscribe(listener: StatusListener): () => void;
  stop(): void;
}

const TOPIC = 'connections';

const news = z.discriminatedUnion('kind', [
  /** A replica that stands by asks what there is. */
  z.object({ kind: z.literal('ask'), from: z.string() }),
  z.object({
    kind: z.literal('is'),
    from: z.string(),
    channel: z.string(),
    status: z.union([
      z.object({ state: z.literal('failing'), problem: z.string() }),
      z.object({
        state: z.literal('login'),
        qr: z.string(),
        hint: z.string(),
        wantsCode: z.boolean().exactOptional(),
      }),
      z.object({ state: z.enum(['connecting', 'connected', 'stopped']) }),
    ]),
  }),
]);
type News = z.output<typeof news>;

/**
 * Replicas tell each other what their connections do. That may get lost, which only costs a page that shows less than
 * it could until something changes again.
 */
export function createConnections(
  bus: Pick<MessageBus, 'broadcast' | 'subscribe'>,
  names: readonly string[],
): Connections {
  const self = randomUUID();
  const own = new Map<string, ChannelStatus>();
  const elsewhere = new Map<string, ConnectionStatus>();
  const listeners = new Set<StatusListener>();
  const tell = (said: News): void => bus.broadcast(TOPIC, JSON.stringify(said));
  const tellStatus = (channel: string, status: ChannelStatus): void => {
    if (status.state !== 'standby') tell({ kind: 'is', from: self, channel, status });
  };

  const hear = (data: string): void => {
    const said = heard(data);
    if (said === null || said.from === self) return;
    if (said.kind === 'ask') for (const [channel, status] of own) tellStatus(channel, status);
    else if (names.includes(said.channel)) elsewhere.set(said.channel, said.status);
  };
  const unsubscribe = bus.subscribe(TOPIC, hear);

  return {
    own,
    report: (channel, status) => {
      own.set(channel, status);
      // Whoever stands by says so every moment, so a question or an answer that got lost does no harm.
      if (status.state === 'standby' && !elsewhere.has(channel)) tell({ kind: 'ask', from: self });
      tellStatus(channel, status);
      for (const listener of listeners) listener(channel, status);
    },
    get: (channel) => {
      const here = own.get(channel) ?? { state: 'connecting' };
      const there = elsewhere.get(channel);
      // That all is well over there is what "standing by" says already.
      const isWanting = there?.state === 'login' || there?.state === 'failing';
      return here.state === 'standby' && isWanting ? there : here;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      for (const [channel, status] of own) listener(channel, status);
      return () => {
        listeners.delete(listener);
      };
    },
    stop: unsubscribe,
  };
}

/** Null for what another version may say that this one does not know. */
function heard(data: string): News | null {
  try {
    return news.parse(JSON.parse(data));
  } catch {
    return null;
  }
}
