import { createHash } from 'node:crypto';
import { field, textAt } from '../kit/field.ts';
import type { Upload } from '../kit/multipart.ts';
import { Windows } from '../kit/windows.ts';
import { ApiError } from './api-error.ts';
import type { App, SharedFile } from './model.ts';
import type { World } from './world.ts';

export interface ApiRequest {
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly uploads: ReadonlyMap<string, Upload>;
}

/** JSON beside `errcode` 0, or a file. */
export type ApiAnswer = { readonly json: object } | { readonly file: SharedFile };

type Handler = (request: ApiRequest) => ApiAnswer;

const MINUTE_MS = 60_000;

/** The calls below `/cgi-bin/`. */
export function createApi(world: World, flood: boolean): ReadonlyMap<string, Handler> {
  const rates = new Windows(world.now);
  /** What an app has sent lately, by the whole request. */
  const sent = new Map<string, { readonly at: number; readonly msgid: string }>();
  /** By `response_code`. */
  const cards = new Map<string, string>();

  const asApp =
    (handle: (app: App, request: ApiRequest) => ApiAnswer): Handler =>
    (request) => {
      const token = request.query.access_token ?? '';
      const app = world.apps.find(({ tokens }) => tokens.has(token));
      if (app === undefined) throw new ApiError(40014, 'invalid access_token');
      if ((app.tokens.get(token) ?? 0) <= world.now()) throw new ApiError(42001, 'access_token expired');
      if (app.trustsNobody.now)
        throw new ApiError(
          60020,
          'not allow to access from your ip, hint: [1], from ip: 203.0.113.7, more info at https://open.work.weixin.qq.com/devtool/query?e=60020',
        );
      return handle(app, request);
    };

  function getToken({ query }: ApiRequest): ApiAnswer {
    const app = world.apps.find(({ corpId, secret }) => corpId === query.corpid && secret === query.corpsecret);
    if (!world.apps.some(({ corpId }) => corpId === query.corpid)) throw new ApiError(40013, 'invalid corpid');
    if (app === undefined) throw new ApiError(40001, 'invalid credential');
    const [known] = [...app.tokens].filter(([, until]) => until > world.now());
    const token = known?.[0] ?? world.id('TOKEN_');
    if (known === undefined) app.tokens.set(token, world.now() + world.limits.tokenSeconds * 1_000);
    return { json: { access_token: token, expires_in: world.limits.tokenSeconds } };
  }

  function getAgent(app: App, { query }: ApiRequest): ApiAnswer {
    if (query.agentid !== app.agentId)
      throw new ApiError(301002, 'not allow operate another agent with this accesstoken');
    return { json: { agentid: Number(app.agentId), name: app.name } };
  }

  function getUser(_: App, { query }: ApiRequest): ApiAnswer {
    const person = world.people.find(({ userId }) => userId === query.userid);
    if (person === undefined) throw new ApiError(60111, 'userid not found');
    return { json: { userid: person.userId, name: person.name } };
  }

  function send(app: App, { body }: ApiRequest): ApiAnswer {
    if (String(field(body, 'agentid')) !== app.agentId) throw new ApiError(40056, 'invalid agentid');
    const to = textAt(body, 'touser');
    const chat = world.chatWith(app, to);
    if (chat === undefined) {
      if (to.includes('|')) throw new ApiError(40003, 'one member at a time, here');
      return { json: { invaliduser: to, msgid: world.id('MSG') } };
    }
    const whole = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const before = field(body, 'enable_duplicate_check') === 1 ? sent.get(whole) : undefined;
    const interval = Number(field(body, 'duplicate_check_interval') ?? 1_800) * 1_000;
    if (before !== undefined && world.now() - before.at < interval) return { json: { msgid: before.msgid } };
    if (flood && rates.take(to, world.limits.appSendsPerMinute, MINUTE_MS) > 0)
      return { json: { msgid: world.id('MSG') } };
    const message = world.say(app, chat, { ...Object(body) });
    sent.set(whole, { at: world.now(), msgid: message.id });
    if (message.card === undefined) return { json: { msgid: message.id } };
    const code = world.id('CODE_');
    cards.set(code, message.id);
    return { json: { msgid: message.id, response_code: code } };
  }

  function recall(app: App, { body }: ApiRequest): ApiAnswer {
    const id = textAt(body, 'msgid');
    const message = world.chats
      .filter((chat) => chat.with === app)
      .flatMap(({ messages }) => messages)
      .find((one) => one.id === id);
    if (message === undefined) throw new ApiError(42027, 'invalid msgid');
    world.recall(message);
    return { json: {} };
  }

  function updateCard(app: App, { body }: ApiRequest): ApiAnswer {
    const task = /^PRESS_(.+)$/.exec(textAt(body, 'response_code'))?.[1];
    const message = world.chats
      .filter((chat) => chat.with === app)
      .flatMap(({ messages }) => messages)
      .find(({ card }) => card !== undefined && card.taskId === task);
    const replaced = textAt(body, 'button', 'replace_name');
    if (message?.card === undefined || replaced === '') throw new ApiError(42045, 'invalid response_code');
    message.card = { ...message.card, replaced };
    world.changed(message);
    return { json: {} };
  }

  function upload(_: App, { query, uploads }: ApiRequest): ApiAnswer {
    const kind = query.type;
    const media = uploads.get('media');
    if (kind !== 'image' && kind !== 'voice' && kind !== 'video' && kind !== 'file')
      throw new ApiError(40004, 'invalid media type');
    if (media === undefined) throw new ApiError(41005, 'missing media data');
    if (media.bytes.length < 5 || media.bytes.length > world.limits.fileBytes[kind])
      throw new ApiError(40006, 'invalid media size');
    const { id } = world.keep({ kind, name: media.name, content: media.bytes });
    return { json: { type: kind, media_id: id, created_at: '1380000000' } };
  }

  function download(_: App, { query }: ApiRequest): ApiAnswer {
    const file = world.files.get(query.media_id ?? '');
    if (file === undefined) throw new ApiError(40007, 'invalid media_id');
    return { file };
  }

  /** The one further answer to a bot's callback. */
  function respond({ query, body }: ApiRequest): ApiAnswer {
    const reply = world.responses.get(query.response_code ?? '');
    const isOld = reply !== undefined && world.now() - reply.at > world.limits.responseUrlMs;
    if (reply === undefined || reply.used || isOld) throw new ApiError(60140, 'response_code expired');
    reply.used = true;
    world.say(reply.push.to, reply.push.chat, { ...Object(body) });
    return { json: {} };
  }

  return new Map<string, Handler>([
    ['gettoken', getToken],
    ['agent/get', asApp(getAgent)],
    ['user/get', asApp(getUser)],
    ['message/send', asApp(send)],
    ['message/recall', asApp(recall)],
    ['message/update_template_card', asApp(updateCard)],
    ['media/upload', asApp(upload)],
    ['media/get', asApp(download)],
    ['aibot/response', respond],
  ]);
}
