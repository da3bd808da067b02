import { randomBytes } from 'node:crypto';
import { field, textAt } from '../../kit/field.ts';
import { decrypted, type Files } from './files.ts';
import { type Answer, json, type Request, rawJson, refusal } from './http.ts';
import type { Logins } from './logins.ts';
import type { Bot, Chat, ChatMessage, SharedFile } from './model.ts';
import type { World } from './world.ts';

export interface BotApiOptions {
  readonly world: World;
  readonly files: Files;
  readonly logins: Logins;
}

type Handler = (request: Request) => Promise<Answer>;

const NO_SUCH_SESSION = refusal(-14, 'session timeout');
const BAD_REQUEST: Answer = { status: 400, body: Buffer.from('{"errmsg":"bad request"}') };
/** Said for whatever keeps a message from being sent. */
const NOT_SENT = json({ ret: -2, errmsg: '' });

/** The calls below `/ilink/bot/`. */
export function botApi({ world, files, logins }: BotApiOptions): ReadonlyMap<string, Handler> {
  const tickets = new Map<string, Chat>();
  const issued = new Map<string, Chat>();
  world.subscribe((event) => {
    if (event.type === 'message' && !event.message.fromBot) issued.set(event.chat.contextToken, event.chat);
  });

  const asBot =
    (handle: (bot: Bot, request: Request) => Answer | Promise<Answer>): Handler =>
    async (request) => {
      if (!isWellMade(request)) return BAD_REQUEST;
      const bot = world.bots.find(({ token }) => request.headers.authorization === `Bearer ${token}`);
      return bot === undefined ? NO_SUCH_SESSION : handle(bot, request);
    };

  async function getUpdates(bot: Bot, { body, headers, signal }: Request): Promise<Answer> {
    const from = positionOf(textAt(body, 'get_updates_buf'));
    const isOver = (): boolean => headers.authorization !== `Bearer ${bot.token}`;
    await held(bot, () => isOver() || bot.queue.some(({ position }) => position > from), signal);
    if (isOver()) return NO_SUCH_SESSION;
    const fresh = bot.queue.filter(({ position }) => position > from);
    const next = cursorAt(fresh.at(-1)?.position ?? from);
    const messages = fresh.map((message) => message.json).join(',');
    return rawJson(`{"ret":0,"msgs":[${messages}],"get_updates_buf":"${next}","longpolling_timeout_ms":35000}`);
  }

  /** Until `condition`, at most as long as polls are held. */
  async function held(bot: Bot, condition: () => boolean, signal: AbortSignal): Promise<void> {
    if (condition()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const unsubscribe = world.subscribe((event) => {
      if ((event.type === 'queued' || event.type === 'ended') && event.bot === bot && condition()) resolve();
    });
    const timer = setTimeout(resolve, world.limits.holdMs);
    const leave = (): void => resolve();
    signal.addEventListener('abort', leave, { once: true });
    await promise;
    unsubscribe();
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }

  function sendMessage(bot: Bot, { body }: Request): Answer {
    const message = field(body, 'msg');
    const items = field(message, 'item_list');
    const clientId = textAt(message, 'client_id');
    if (!Array.isArray(items) || items.length !== 1 || clientId === '' || field(message, 'message_type') !== 2)
      return refusal(-3, 'invalid message');
    const chat = world.chats.find((one) => one.bot === bot && one.person.id === textAt(message, 'to_user_id'));
    if (chat === undefined) return NOT_SENT;
    const known = chat.messages.find((one) => one.clientId === clientId);
    if (known !== undefined) return rawJson(`{"message_id":${known.id}}`);
    const token = textAt(message, 'context_token');
    if (token !== '' && issued.get(token) !== chat) return NOT_SENT;
    const { maxTextBytes, repliesPerMessage, replyWindowMs } = world.limits;
    if (chat.replies >= repliesPerMessage || world.now() - chat.lastFromPersonAt > replyWindowMs) return NOT_SENT;
    const shared = sharedIn(items[0], files);
    const text = textAt(items[0], 'text_item', 'text');
    if (Buffer.byteLength(text) > maxTextBytes || (shared === undefined && text === '')) return NOT_SENT;
    const said: ChatMessage = {
      ...{ id: world.nextId(), from: bot, fromBot: true, at: world.now(), text, clientId },
      ...(shared === undefined ? {} : { file: shared }),
    };
    chat.messages.push(said);
    chat.replies += 1;
    world.emit({ type: 'message', chat, message: said });
    return rawJson(`{"message_id":${said.id}}`);
  }

  function getConfig(bot: Bot, { body }: Request): Answer {
    const chat = world.chats.find((one) => one.bot === bot && one.person.id === textAt(body, 'ilink_user_id'));
    if (chat === undefined) return refusal(-3, 'unknown user');
    const ticket = randomBytes(12).toString('base64');
    tickets.set(ticket, chat);
    return json({ ret: 0, typing_ticket: ticket });
  }

  function sendTyping(_: Bot, { body }: Request): Answer {
    const chat = tickets.get(textAt(body, 'typing_ticket'));
    if (chat === undefined) return refusal(-3, 'invalid ticket');
    world.emit({ type: 'typing', chat, shown: field(body, 'status') === 1 });
    return json({ ret: 0 });
  }

  function getUploadUrl(_: Bot, { body }: Request): Answer {
    const bytes = field(body, 'filesize');
    const raw = field(body, 'rawsize');
    const isPadded = typeof bytes === 'number' && typeof raw === 'number' && bytes === (Math.floor(raw / 16) + 1) * 16;
    const isComplete =
      /^[0-9a-f]{32}$/.test(textAt(body, 'aeskey')) && /^[0-9a-f]{32}$/.test(textAt(body, 'rawfilemd5'));
    if (!isPadded || !isComplete || textAt(body, 'filekey') === '') return refusal(-3, 'invalid upload');
    return json({ upload_param: files.expect(textAt(body, 'filekey'), bytes) });
  }

  const getQrCode: Handler = async ({ body, query }) => {
    if (query.bot_type !== '3') return BAD_REQUEST;
    const former = field(body, 'local_token_list');
    const code = logins.issue(Array.isArray(former) ? former.map(String) : []);
    return json({ qrcode: code.id, qrcode_img_content: code.content });
  };

  const getQrStatus: Handler = async ({ query, signal }) => {
    const code = logins.codes.find(({ id }) => id === query.qrcode);
    if (code === undefined) return json({ status: 'expired' });
    if (query.verify_code !== undefined) logins.typed(code, query.verify_code);
    // A look is held open while nothing happens.
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(world.limits.holdMs)]);
    if (code.state.name === 'wait') await logins.changedFrom(code, 'wait', timeout);
    const { state } = code;
    switch (state.name) {
      case 'confirmed':
        return json({
          status: 'confirmed',
          bot_token: state.bot.token,
          ilink_bot_id: state.bot.id,
          baseurl: state.baseUrl,
          ilink_user_id: state.bot.owner.id,
        });
      case 'scaned_but_redirect':
        return json({ status: state.name, redirect_host: state.host });
      default:
        return json({ status: state.name });
    }
  };

  return new Map<string, Handler>([
    ['get_bot_qrcode', getQrCode],
    ['get_qrcode_status', getQrStatus],
    ['getupdates', asBot(getUpdates)],
    ['sendmessage', asBot(sendMessage)],
    ['getconfig', asBot(getConfig)],
    ['sendtyping', asBot(sendTyping)],
    ['getuploadurl', asBot(getUploadUrl)],
    ['msg/notifystart', asBot(() => json({ ret: 0 }))],
    ['msg/notifystop', asBot(() => json({ ret: 0 }))],
  ]);
}

/** What the protocol asks of each call's headers and body. */
function isWellMade({ verb, headers, body }: Request): boolean {
  const uin = Buffer.from(headers['x-wechat-uin'] ?? '', 'base64').toString('latin1');
  return (
    verb === 'POST' &&
    headers.authorizationtype === 'ilink_bot_token' &&
    headers['ilink-app-id'] === 'bot' &&
    /^\d+$/.test(headers['ilink-app-clientversion'] ?? '') &&
    /^\d{1,10}$/.test(uin) &&
    textAt(body, 'base_info', 'channel_version') !== ''
  );
}

const cursorAt = (position: number): string => Buffer.from(`at:${position}`).toString('base64');
const positionOf = (cursor: string): number =>
  Number(/^at:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString())?.[1] ?? 0);

/** The file of a bot's item, as the person's phone shows it; undefined for a text, and for one that cannot be opened. */
function sharedIn(item: unknown, files: Files): SharedFile | undefined {
  const kinds = [
    ['image', 'image_item'],
    ['file', 'file_item'],
    ['video', 'video_item'],
  ] as const;
  for (const [kind, key] of kinds) {
    const media = field(item, key, 'media');
    if (media === undefined) continue;
    const stored = files.get(textAt(media, 'encrypt_query_param'));
    const hex = Buffer.from(textAt(media, 'aes_key'), 'base64').toString('latin1');
    if (stored === undefined || !/^[0-9a-f]{32}$/.test(hex)) return undefined;
    const name = textAt(item, key, 'file_name') || kind;
    return { kind, name, content: decrypted(stored, Buffer.from(hex, 'hex')) };
  }
  return undefined;
}
