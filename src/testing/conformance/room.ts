import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import type { Adapter, Manifest } from '../../channel/port.ts';
import { createDesk, type Desk } from '../../channel/testing/desk.ts';
import type { PlayChat, Playground, PlayMessage } from '../../simulator/play/port.ts';

/** An adapter by one of its transports, and the platform that it is tried on. */
export interface Subject {
  /** E.g. `telegram, webhook`. */
  readonly name: string;
  readonly manifest: Manifest;
  readonly play: () => Promise<Playground>;
}

/** One adapter at work on a platform. */
export interface Room {
  readonly play: Playground;
  readonly manifest: Manifest;
  readonly adapter: Adapter;
  readonly desk: Desk<unknown>;
  readonly webhookUrl: string;
  /** Resolves with what the bot shows once `matches` is true of it. */
  shows(chat: PlayChat, matches: (messages: readonly PlayMessage[]) => boolean): Promise<readonly PlayMessage[]>;
  close(): Promise<void>;
}

const PATIENCE_MS = 10_000;

/** Starts the adapter; everything is closed when the test ends, if the test has not done so. */
export async function openRoom(t: TestContext, subject: Subject): Promise<Room> {
  const room = await enterRoom(t, subject);
  await room.adapter.start();
  await room.play.connect?.(room.webhookUrl);
  return room;
}

/** As {@link openRoom}, with an adapter that is not started yet. */
export async function enterRoom(t: TestContext, subject: Subject): Promise<Room> {
  const play = await subject.play();
  let adapter: Adapter | undefined;
  const server = createServer(
    getRequestListener(async (request) => (await adapter?.webhook?.(request)) ?? new Response(null, { status: 404 })),
  );
  const webhookUrl = await listen(server, play.type);
  const desk = createDesk<unknown>({
    channel: play.type,
    config: subject.manifest.config.parse(play.settings),
    webhookUrl,
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await adapter?.stop();
      await play.stop();
      server.close();
      server.closeAllConnections();
    })();
    return closing;
  };
  t.after(close);
  adapter = await subject.manifest.create(desk.context);
  return {
    ...{ play, manifest: subject.manifest, adapter, desk, webhookUrl, close },
    shows: (chat, matches) => shows(play, chat, matches),
  };
}

async function listen(server: Server, channel: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/${channel}`;
}

const ofBot = (play: Playground, chat: PlayChat): readonly PlayMessage[] =>
  play.shown(chat).filter(({ by }) => by.isBot);

async function shows(
  play: Playground,
  chat: PlayChat,
  matches: (messages: readonly PlayMessage[]) => boolean,
): Promise<readonly PlayMessage[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly PlayMessage[]>();
  const look = (): void => {
    const messages = ofBot(play, chat);
    if (matches(messages)) resolve(messages);
  };
  const unsubscribe = play.subscribe(look);
  const timer = setTimeout(() => {
    reject(new Error(`the chat shows only ${JSON.stringify(ofBot(play, chat).map(({ text }) => text))}`));
  }, PATIENCE_MS);
  look();
  return promise.finally(() => {
    unsubscribe();
    clearTimeout(timer);
  });
}
