import { type Wechaty, WechatyBuilder } from 'wechaty';
import { factsOf, membershipOf, personOf } from './facts.ts';
import { faultOf } from './fault.ts';
import { Lines } from './lines.ts';
import { lendMemory } from './memory.ts';
import type { News, PuppetSettings, Task } from './protocol.ts';
import { makePuppet } from './puppet.ts';
import { perform } from './tasks.ts';
import { within } from './within.ts';

export interface BotOptions {
  readonly settings: PuppetSettings;
  /** What an earlier bot wanted remembered. */
  readonly memory: string | null;
  /** How often the puppet is asked for a sign of life, in milliseconds. */
  readonly dingMs: number;
  readonly tell: (news: News) => void;
}

export interface Bot {
  /** Does a task and tells what came of it. Never rejects. */
  perform(call: number, task: Task): Promise<void>;
}

const PAYLOAD_MS = 15_000;
/** Messages that come before the login is known wait for it. */
const EARLY_MAX = 200;

/** wechaty's states of a QR code that say something to whoever is to scan it. */
const scanStates = new Map<number, 'waiting' | 'scanned' | 'cancelled'>([
  [1, 'cancelled'],
  [2, 'waiting'],
  [3, 'scanned'],
  [4, 'scanned'],
  [5, 'waiting'],
]);

/**
 * Runs wechaty and tells what happens. Nothing here is tried again: whoever started this process starts another one
 * when it says that it is dead, says nothing any more, or stumbles from error to error.
 *
 * It listens to the puppet itself, not to wechaty's own messages and rooms: those are lost when one look-up fails.
 */
export async function startBot({ settings, memory, dingMs, tell }: BotOptions): Promise<Bot> {
  const secrets = settings.puppet === 'wechaty-puppet-service' ? [settings.token] : [];
  const trouble = (thrown: unknown): void => tell({ kind: 'trouble', fault: faultOf(thrown, secrets) });
  const die = (thrown: unknown): void => tell({ kind: 'dead', fault: faultOf(thrown, secrets) });
  const { puppet: made, whenLost } = await makePuppet(settings);
  const bot: Wechaty = WechatyBuilder.build({ puppet: made });
  let lastError: unknown;
  bot.on('error', (error) => {
    lastError = error;
    trouble(error);
  });
  await bot.init();
  await lendMemory(bot, memory, (kept) => tell({ kind: 'memory', memory: kept }));
  const { puppet } = bot;
  const early: string[] = [];
  const lines = new Lines(trouble);
  listen();
  await bot.start();
  // wechaty reports what went wrong at the start as an event, and then calls itself started.
  if (puppet.state.active() !== true) die(lastError ?? new Error('the puppet did not start in time'));
  else {
    whenLost(die);
    tell({ kind: 'started' });
    setInterval(() => {
      try {
        puppet.ding('alive');
      } catch (error) {
        trouble(error);
      }
    }, dingMs);
  }
  return {
    perform: async (call, task) => {
      try {
        tell({ kind: 'done', call, outcome: await perform(puppet, task) });
      } catch (error) {
        tell({ kind: 'failed', call, fault: faultOf(error, secrets) });
      }
    },
  };

  function listen(): void {
    const alive = (): void => tell({ kind: 'alive' });
    puppet.on('heartbeat', alive);
    puppet.on('dong', alive);
    puppet.on('scan', ({ qrcode, status }) => {
      const state = scanStates.get(status);
      if (state !== undefined && qrcode) tell({ kind: 'scan', code: qrcode, state });
    });
    puppet.on('login', ({ contactId }) => {
      void personOf(puppet, contactId).then((account) => {
        tell({ kind: 'login', account });
        for (const id of early.splice(0)) hear(id);
      });
    });
    puppet.on('logout', () => tell({ kind: 'logout' }));
    puppet.on('message', ({ messageId }) => {
      if (puppet.isLoggedIn) hear(messageId);
      else if (early.push(messageId) > EARLY_MAX) early.shift();
    });
    puppet.on('room-join', ({ roomId, inviteeIdList, inviterId, timestamp }) =>
      notice('joined', { roomId, people: inviteeIdList, by: inviterId, timestamp }),
    );
    puppet.on('room-leave', ({ roomId, removeeIdList, removerId, timestamp }) =>
      notice('left', { roomId, people: removeeIdList, by: removerId, timestamp }),
    );
    puppet.on('friendship', () => tell({ kind: 'request', about: 'friendship' }));
    puppet.on('room-invite', () => tell({ kind: 'request', about: 'room-invite' }));
  }

  function hear(id: string): void {
    lines.after(
      async () => within(PAYLOAD_MS, puppet.messagePayload(id)),
      (payload) => {
        if (payload === undefined) return trouble(new Error(`message ${id} could not be read`));
        const line = payload.roomId || payload.talkerId || '';
        lines.add(line, async () => tell({ kind: 'message', facts: await factsOf(puppet, payload) }));
      },
    );
  }

  function notice(kind: 'joined' | 'left', event: Parameters<typeof membershipOf>[2]): void {
    // By the same entrance as messages, or it would overtake those that are still being read.
    lines.after(
      async () => event,
      () =>
        lines.add(event.roomId, async () =>
          tell({ kind: 'membership', facts: await membershipOf(puppet, kind, event) }),
        ),
    );
  }
}
