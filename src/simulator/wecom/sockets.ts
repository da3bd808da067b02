import { randomBytes } from 'node:crypto';
import type { CallLog } from '../kit/call-log.ts';
import { field, textAt } from '../kit/field.ts';
import type { Doorkeeper, PeerSocket } from '../websocket/index.ts';
import { ApiError } from './api-error.ts';
import type { CallRecord } from './calls.ts';
import type { Faults } from './faults.ts';
import type { Bot, Push } from './model.ts';
import { cardIn, type Reply, type World } from './world.ts';

interface Frame {
  readonly cmd: string;
  readonly reqId: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Uploading {
  readonly kind: 'image' | 'voice' | 'video' | 'file';
  readonly name: string;
  readonly bytes: number;
  readonly chunks: (Buffer | undefined)[];
}

/** The long connections of AI bots: one a bot, and whoever comes later takes it over. */
export class Sockets {
  readonly #world: World;
  readonly #faults: Faults;
  readonly #calls: CallLog<CallRecord>;
  readonly #current = new Map<Bot, PeerSocket>();
  readonly #replies = new Map<string, Reply>();
  readonly #uploads = new Map<string, Uploading>();
  readonly #waiting = new Map<Bot, Push[]>();

  constructor(world: World, faults: Faults, calls: CallLog<CallRecord>) {
    this.#world = world;
    this.#faults = faults;
    this.#calls = calls;
  }

  readonly doorkeeper: Doorkeeper = () => (socket) => {
    let bot: Bot | undefined;
    socket.onMessage = (data) => {
      const frame = frameIn(String(data));
      if (frame === undefined) return;
      if (frame.cmd === 'aibot_subscribe') bot = this.#subscribe(socket, frame);
      else this.#handle(socket, bot, frame);
    };
    socket.onClose = () => {
      if (bot !== undefined && this.#current.get(bot) === socket) this.#current.delete(bot);
    };
  };

  isConnected(bot: Bot): boolean {
    return this.#current.get(bot)?.open === true;
  }

  /** Tells the bot something; while it is not connected, that waits. */
  deliver(push: Push): void {
    const { to } = push;
    if (to.kind !== 'bot') return;
    const socket = this.#current.get(to);
    if (socket === undefined) {
      this.#waiting.set(to, [...(this.#waiting.get(to) ?? []), push]);
      return;
    }
    const reqId = this.#world.id('REQ');
    const isEvent = push.body.msgtype === 'event';
    const event = textAt(push.body, 'event', 'eventtype');
    const kind = !isEvent ? 'message' : event === 'enter_chat' ? 'welcome' : 'press';
    this.#replies.set(reqId, { push, kind, at: this.#world.now(), used: false });
    const cmd = isEvent ? 'aibot_event_callback' : 'aibot_msg_callback';
    socket.send(JSON.stringify({ cmd, headers: { req_id: reqId }, body: push.body }));
  }

  /** Takes the connection away from the bot, as another program does that connects. */
  kick(bot: Bot): void {
    const socket = this.#current.get(bot);
    this.#current.delete(bot);
    const body = {
      msgid: this.#world.id('CAIQ'),
      msgtype: 'event',
      event: { eventtype: 'disconnected_event' },
      from: {},
    };
    socket?.send(JSON.stringify({ cmd: 'aibot_event_callback', headers: { req_id: this.#world.id('REQ') }, body }));
    socket?.close(1000, 'new connection');
  }

  /** Cuts the connection without a word. */
  cut(bot: Bot): void {
    this.#current.get(bot)?.terminate();
    this.#current.delete(bot);
  }

  /** Sends bytes that are no frame of WeCom's. */
  sendRaw(bot: Bot, text: string): void {
    this.#current.get(bot)?.send(text);
  }

  #subscribe(socket: PeerSocket, { reqId, body, cmd }: Frame): Bot | undefined {
    const bot = this.#world.bots.find(({ id, secret }) => id === body.bot_id && secret === body.secret);
    this.#calls.add({ method: cmd, body: { bot_id: body.bot_id }, at: this.#world.now() });
    const fault = this.#faults.take(cmd);
    if (fault?.kind === 'silent') return undefined;
    if (fault?.kind === 'refuse' || bot === undefined) {
      const { errcode, errmsg } =
        fault?.kind === 'refuse' ? fault : { errcode: 853000, errmsg: 'invalid bot_id or secret' };
      acknowledge(socket, reqId, { errcode, errmsg: errmsg ?? 'refused' });
      return undefined;
    }
    if (this.#current.has(bot)) this.kick(bot);
    this.#current.set(bot, socket);
    acknowledge(socket, reqId, { errcode: 0, errmsg: 'ok' });
    const waiting = this.#waiting.get(bot) ?? [];
    this.#waiting.delete(bot);
    for (const push of waiting) this.deliver(push);
    return bot;
  }

  #handle(socket: PeerSocket, bot: Bot | undefined, frame: Frame): void {
    const { cmd, reqId, body } = frame;
    const fault = this.#faults.take(cmd);
    if (cmd === 'ping') {
      if (fault === undefined) acknowledge(socket, reqId, { errcode: 0, errmsg: 'ok' });
      return;
    }
    this.#calls.add({ method: cmd, body, at: this.#world.now() });
    if (fault?.kind === 'refuse') {
      acknowledge(socket, reqId, { errcode: fault.errcode, errmsg: fault.errmsg ?? 'refused' });
      return;
    }
    const isLost = fault?.kind === 'silent' || fault?.kind === 'drop';
    const answer = isLost && !fault.processed ? undefined : this.#answer(bot, frame);
    if (fault?.kind === 'drop') socket.terminate();
    else if (!isLost && answer !== undefined) acknowledge(socket, reqId, answer);
  }

  #answer(bot: Bot | undefined, frame: Frame): object {
    try {
      if (bot === undefined) throw new ApiError(853001, 'not subscribed');
      return { errcode: 0, errmsg: 'ok', ...this.#run(bot, frame) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { errcode: error.errcode, errmsg: error.message };
    }
  }

  #run(bot: Bot, { cmd, reqId, body }: Frame): object {
    switch (cmd) {
      case 'aibot_respond_msg':
        this.#world.showStream(this.#open(reqId, 'message'), body);
        return {};
      case 'aibot_respond_welcome_msg': {
        const reply = this.#open(reqId, 'welcome');
        if (textAt(body, 'text', 'content') === '') throw new ApiError(44004, 'empty content');
        reply.used = true;
        this.#world.post({ chat: reply.push.chat, from: bot, text: textAt(body, 'text', 'content') });
        return {};
      }
      case 'aibot_respond_update_msg': {
        const reply = this.#open(reqId, 'press');
        reply.used = true;
        updateCard(this.#world, reply.push, body);
        return {};
      }
      case 'aibot_send_msg': {
        const chat = this.#world.chatWith(bot, textAt(body, 'chatid'));
        if (chat === undefined) throw new ApiError(40003, 'invalid chatid');
        this.#world.say(bot, chat, body);
        return {};
      }
      case 'aibot_upload_media_init':
        return { body: { upload_id: this.#begin(body) } };
      case 'aibot_upload_media_chunk':
        this.#chunk(body);
        return {};
      case 'aibot_upload_media_finish':
        return { body: this.#finish(body) };
      default:
        throw new ApiError(40008, `unknown command ${cmd}`);
    }
  }

  #open(reqId: string, kind: Reply['kind']): Reply {
    const reply = this.#replies.get(reqId);
    const isLate =
      reply !== undefined && kind !== 'message' && this.#world.now() - reply.at > this.#world.limits.eventReplyMs;
    if (reply === undefined || reply.kind !== kind || reply.used || isLate)
      throw new ApiError(846605, 'invalid req_id');
    return reply;
  }

  #begin(body: unknown): string {
    const kind = textAt(body, 'type');
    const [bytes, chunks] = [Number(field(body, 'total_size')), Number(field(body, 'total_chunks'))];
    if (kind !== 'image' && kind !== 'voice' && kind !== 'video' && kind !== 'file')
      throw new ApiError(40004, 'invalid media type');
    if (bytes > this.#world.limits.fileBytes[kind] || bytes < 5 || chunks > 100)
      throw new ApiError(40006, 'invalid media size');
    const id = randomBytes(8).toString('hex');
    this.#uploads.set(id, { kind, name: textAt(body, 'filename'), bytes, chunks: Array.from({ length: chunks }) });
    return id;
  }

  #chunk(body: unknown): void {
    const upload = this.#uploads.get(textAt(body, 'upload_id'));
    const index = Number(field(body, 'chunk_index'));
    const chunk = Buffer.from(textAt(body, 'base64_data'), 'base64');
    if (upload === undefined || !(index in upload.chunks) || chunk.length > this.#world.limits.chunkBytes)
      throw new ApiError(40058, 'invalid chunk');
    upload.chunks[index] = chunk;
  }

  #finish(body: unknown): object {
    const upload = this.#uploads.get(textAt(body, 'upload_id'));
    const content = Buffer.concat(upload?.chunks.filter((chunk) => chunk !== undefined) ?? []);
    if (upload === undefined || content.length !== upload.bytes) throw new ApiError(40058, 'incomplete upload');
    const { id } = this.#world.keep({ kind: upload.kind, name: upload.name, content });
    return { type: upload.kind, media_id: id, created_at: String(Math.floor(this.#world.now() / 1_000)) };
  }
}

/** Replaces the card that was pressed. */
export function updateCard(world: World, push: Push, body: unknown): void {
  const card = cardIn(field(body, 'template_card'), world.limits);
  const message = push.chat.messages.find(({ card: shown }) => shown?.taskId === card.taskId);
  if (message === undefined) throw new ApiError(40058, 'no such task_id');
  message.card = card;
  world.changed(message);
}

function frameIn(text: string): Frame | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const body = field(parsed, 'body');
    return {
      cmd: textAt(parsed, 'cmd'),
      reqId: textAt(parsed, 'headers', 'req_id'),
      body: typeof body === 'object' && body !== null ? { ...body } : {},
    };
  } catch {
    return undefined;
  }
}

const acknowledge = (socket: PeerSocket, reqId: string, answer: object): void =>
  socket.send(JSON.stringify({ headers: { req_id: reqId }, ...answer }));
