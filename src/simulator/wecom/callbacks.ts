import { setTimeout as sleep } from 'node:timers/promises';
import { field, textAt } from '../kit/field.ts';
import { type CallbackKeys, claim, decrypted, encrypted, signed } from './crypto.ts';
import type { App, Bot, Push } from './model.ts';
import { updateCard } from './sockets.ts';
import { type Reply, streamIn, type World } from './world.ts';
import { writeXml } from './xml.ts';

/** What became of one attempt to call. */
export type Receipt =
  | { readonly kind: 'taken'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly reason: string };

/** Calls the addresses of bots and apps, at least once, and asks bots how their answers stand. */
export class Callbacks {
  readonly #world: World;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** Every call so far and how it went, newest last. */
  readonly receipts: { readonly push: Push; readonly receipt: Receipt }[] = [];
  /** False: answers are not asked for any more, as when WeCom has given up. */
  asks = true;

  constructor(world: World) {
    this.#world = world;
  }

  /** Registers an address, which has to answer with what it was sent and nothing else. */
  async register(one: Bot | App, url: string): Promise<void> {
    const keys = keysOf(one);
    const secret = '1616140317555161061';
    const echostr = encrypted(secret, keys);
    const address = new URL(url);
    address.search = new URLSearchParams({ ...claim(echostr, keys, this.#world.now()), echostr }).toString();
    const response = await fetch(address, { signal: this.#limited(1_000) });
    const text = await response.text();
    if (response.status !== 200 || text !== secret)
      throw new Error(`The address answers ${response.status} ${text.slice(0, 80)}`);
    one.url = url;
  }

  deliver(push: Push): void {
    this.#track(this.#deliver(push));
  }

  /** Calls once and waits for the answer. */
  async call(push: Push): Promise<Receipt> {
    const reply: Reply = { push, kind: kindOf(push), at: this.#world.now(), used: false };
    const body =
      push.to.kind === 'bot' && push.body.response_url === undefined ? this.#withAddress(push, reply) : push.body;
    const receipt = await this.#post(push.to, body);
    this.receipts.push({ push, receipt });
    if (receipt.kind === 'taken' && push.to.kind === 'bot') this.#take(push.to, reply, receipt.answer);
    return receipt;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  async #deliver(push: Push): Promise<void> {
    for (const delay of [0, ...this.#world.limits.retryMs]) {
      if (delay > 0) await sleep(delay, undefined, { signal: this.#stopping.signal }).catch(() => {}); // stopped
      if (this.#stopping.signal.aborted) return;
      const receipt = await this.call(push);
      if (receipt.kind === 'taken') return;
    }
  }

  #withAddress(push: Push, reply: Reply): Push['body'] {
    const isEvent = push.body.msgtype === 'event';
    if (isEvent && textAt(push.body, 'event', 'eventtype') !== 'template_card_event') return push.body;
    const code = this.#world.id('RESPONSE_CODE_');
    this.#world.responses.set(code, reply);
    return { ...push.body, response_url: `${this.base}/cgi-bin/aibot/response?response_code=${code}` };
  }

  /** Where this WeCom is. */
  base = '';

  #take(bot: Bot, reply: Reply, answer: unknown): void {
    const type = textAt(answer, 'msgtype');
    if (reply.kind === 'message' && type.startsWith('stream')) this.#track(this.#follow(bot, reply, answer));
    else if (reply.kind === 'welcome' && type === 'text')
      this.#world.post({ chat: reply.push.chat, from: bot, text: textAt(answer, 'text', 'content') });
    else if (textAt(answer, 'response_type') === 'update_template_card') updateCard(this.#world, reply.push, answer);
  }

  /** Shows the answer as it grows, and asks for more until it is finished or too old. */
  async #follow(bot: Bot, reply: Reply, first: unknown): Promise<void> {
    const { pollMs, streamMs } = this.#world.limits;
    const { chatid, chattype, from } = reply.push.body;
    const about = { aibotid: bot.id, chattype, from, ...(chatid === undefined ? {} : { chatid }) };
    let answer = first;
    while (!this.#stopping.signal.aborted) {
      const { id, finish } = streamIn(answer);
      if (this.#world.isFinished(reply.push.chat, id)) return;
      this.#world.showStream(reply, answer as Record<string, unknown>);
      if (finish || !this.asks || this.#world.now() - reply.at > streamMs) return;
      await sleep(pollMs, undefined, { signal: this.#stopping.signal }).catch(() => {}); // stopped
      const poll = { msgid: this.#world.id('CAIQ'), ...about, msgtype: 'stream', stream: { id } };
      const receipt = await this.#post(bot, poll);
      if (receipt.kind === 'taken') answer = receipt.answer;
    }
  }

  async #post(to: Bot | App, body: Readonly<Record<string, unknown>>): Promise<Receipt> {
    if (to.url === undefined) return { kind: 'failed', reason: 'no address' };
    const keys = keysOf(to);
    const message = encrypted(to.kind === 'bot' ? JSON.stringify(body) : writeXml(body), keys);
    const url = new URL(to.url);
    url.search = new URLSearchParams(claim(message, keys, this.#world.now())).toString();
    const sent =
      to.kind === 'bot'
        ? JSON.stringify({ encrypt: message })
        : writeXml({ ToUserName: to.corpId, AgentID: to.agentId, Encrypt: message });
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: sent,
        redirect: 'manual',
        signal: this.#limited(this.#world.limits.ackMs),
      });
      const text = await response.text();
      if (response.status !== 200) return { kind: 'failed', reason: `HTTP ${response.status}` };
      return { kind: 'taken', answer: text === '' ? undefined : readAnswer(text, keys) };
    } catch (error) {
      return { kind: 'failed', reason: String(error) };
    }
  }

  #limited(ms: number): AbortSignal {
    return AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(ms)]);
  }

  #track(job: Promise<void>): void {
    const tracked = job.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }
}

export const keysOf = (one: Bot | App): CallbackKeys => ({
  token: one.token,
  aesKey: one.aesKey,
  receiver: one.kind === 'app' ? one.corpId : '',
});

function kindOf({ body }: Push): Reply['kind'] {
  if (body.msgtype !== 'event') return 'message';
  return textAt(body, 'event', 'eventtype') === 'enter_chat' ? 'welcome' : 'press';
}

/** An answer that is not signed as a request is would not be taken. */
function readAnswer(text: string, keys: CallbackKeys): unknown {
  const sealed: unknown = JSON.parse(text);
  const message = textAt(sealed, 'encrypt');
  const expected = signed(keys.token, String(field(sealed, 'timestamp')), textAt(sealed, 'nonce'), message);
  if (textAt(sealed, 'msgsignature') !== expected) throw new Error('The answer is not signed.');
  return JSON.parse(decrypted(message, keys));
}
