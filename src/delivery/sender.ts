import type { Clock } from '../base/clock.ts';
import { durationIn } from '../base/duration.ts';
import { AntlerError, asAntlerError } from '../base/errors.ts';
import { type FileId, NOTE_MARK, noteDeliveryId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { type Language, languageOf, say } from '../base/sentences.ts';
import type { NewDelivery, NewDraft, Outgoing, SendOutcome } from '../bus/port.ts';
import type { ChannelBook } from '../channel/book.ts';
import type { Adapter, Document, SendOptions, Target } from '../channel/port.ts';
import { withoutReply } from '../channel/target.ts';
import { sendFile } from './file.ts';
import { verdictOn } from './verdict.ts';

export interface SenderOptions {
  /** The channel's adapter in this process. */
  readonly adapter: (channel: string) => Adapter | undefined;
  readonly channels: ChannelBook;
  /** A file's bytes; null when they are kept no more. */
  readonly content: (id: FileId) => Promise<Uint8Array | null>;
  readonly log: Logger;
  readonly clock: Pick<Clock, 'now'>;
  /** A message that comes out later than this after it was ready says so, in milliseconds. */
  readonly lateMs: number;
  /** Puts a note about a message into the outbox, behind it. */
  readonly enqueue: (notes: readonly NewDelivery[]) => Promise<void>;
  /** A delivery has become this message. Must not reject. */
  readonly onSent?: (delivery: NewDelivery, messageId: string) => Promise<void>;
}

/** Stands for the id of a part that was given up or may be missing, when those behind it are shown. */
const NOT_SHOWN = '';

export interface DeliverySender {
  /** Hands what the outbox gives out to its platform, one step, and says what became of it. */
  send(outgoing: Outgoing): Promise<SendOutcome>;
  /** Tells the person that a message may be missing, because its sender died over it. */
  onDoubt(delivery: NewDelivery): Promise<void>;
}

/** Stands between the outbox and the platforms. */
export function createSender({
  adapter: find,
  channels,
  content: contentOf,
  log,
  clock,
  lateMs,
  enqueue,
  onSent,
}: SenderOptions): DeliverySender {
  return { send, onDoubt: admitDoubt };

  async function send(outgoing: Outgoing): Promise<SendOutcome> {
    const channel = outgoing.kind === 'delivery' ? outgoing.delivery.channel : outgoing.draft.channel;
    const adapter = find(channel);
    if (adapter === undefined)
      return { kind: 'retry', delayMs: 1_000, error: `channel ${channel} is not running here` };
    return outgoing.kind === 'delivery' ? deliver(adapter, outgoing) : show(adapter, outgoing.draft, outgoing.shown);
  }

  async function deliver(adapter: Adapter, outgoing: Outgoing & { kind: 'delivery' }): Promise<SendOutcome> {
    const { delivery, attempt } = outgoing;
    try {
      const shown = await place(adapter, delivery, outgoing.shown, lateNote(outgoing));
      const messageId = shown[delivery.stream?.part ?? 0];
      if (messageId !== undefined) await onSent?.(delivery, messageId);
      return { kind: 'sent', shown, ...(messageId === undefined ? {} : { messageId }) };
    } catch (thrown) {
      const error = asAntlerError(thrown);
      const verdict = verdictOn(error, attempt);
      const fields = {
        channel: delivery.channel,
        delivery: delivery.id,
        attempt,
        code: error.code,
        verdict: verdict.kind,
      };
      log.warn({ ...fields, problem: error.message }, 'delivery failed');
      if (verdict.kind === 'uncertain') await admitDoubt(delivery);
      return verdict;
    }
  }

  /** Tells the person that a message may be missing, where it is not simply sent again. Once, and not about the note. */
  async function admitDoubt(delivery: NewDelivery): Promise<void> {
    const isResent = clock.now() < delivery.at + delivery.resendForMs;
    const isNote = delivery.stream === undefined && delivery.id.endsWith(NOTE_MARK);
    if (isResent || isNote || delivery.stream?.last === false) return;
    const language = languageFor(delivery);
    const { channel, target, limits } = delivery;
    const note: NewDelivery = {
      id: noteDeliveryId(delivery.id),
      channel,
      target: withoutReply(target),
      document: { markdown: `_${say(language, 'maybe_lost')}_` },
      limits,
      at: clock.now(),
      resendForMs: 0,
    };
    await enqueue([note]).catch((error: unknown) => log.warn({ channel, err: error }, 'a doubt was not told'));
  }

  /** Puts a delivery where its stream shows it already, or sends it anew; returns the stream's message ids. */
  async function place(
    adapter: Adapter,
    delivery: NewDelivery,
    shown: readonly string[],
    note: string,
  ): Promise<readonly string[]> {
    const { id, target, document, stream, edits = NOT_SHOWN } = delivery;
    const markdown = [note, document.markdown].filter((part) => part !== '').join('\n\n');
    const content = { ...document, markdown };
    if (content.file !== undefined) return [await present(adapter, delivery, content)];
    const part = stream?.part ?? 0;
    const here = shown[part] ?? edits;
    const placed = here === NOT_SHOWN ? undefined : await replace(adapter, target, here, content, id);
    if (placed === undefined && delivery.ifShown === true) return shown;
    const messageId = placed ?? (await sendReadable(adapter, target, content, { key: id }));
    const length = Math.max(shown.length, part + 1);
    const ids = Array.from({ length }, (_, n) => (n === part ? messageId : (shown[n] ?? NOT_SHOWN)));
    if (stream?.last !== true) return ids;
    for (const surplus of ids.slice(part + 1)) await adapter.delete?.(target, surplus).catch(() => {}); // a longer draft's tail
    return ids.slice(0, part + 1);
  }

  /** Sends a file, or what can be shown in its place. */
  async function present(adapter: Adapter, delivery: NewDelivery, { file, markdown }: Document): Promise<string> {
    const { id, channel, target } = delivery;
    const manifest = channels.get(channel)?.manifest;
    const sendText = (document: Document): Promise<string> => sendReadable(adapter, target, document, { key: id });
    if (file === undefined || manifest === undefined) return sendText({ markdown });
    const sending = { adapter, manifest, content: contentOf, language: languageFor(delivery) };
    return readable({ key: id }, (how) => sendFile(sending, target, file, markdown, how, sendText));
  }

  /** Undefined when the shown message is gone, so that the text has to be sent anew. */
  async function replace(
    adapter: Adapter,
    target: Target,
    messageId: string,
    document: Document,
    key: string,
  ): Promise<string | undefined> {
    if (adapter.edit === undefined) return undefined;
    try {
      await editReadable(adapter, target, messageId, document, { key });
      return messageId;
    } catch (thrown) {
      const error = asAntlerError(thrown);
      if (error.code === 'target_gone' || error.code === 'not_found') return undefined;
      // An edit that may have been done can be done again: it says the same.
      if (error.code === 'uncertain')
        throw new AntlerError('unavailable', error.message, { retryable: true, cause: error });
      throw error;
    }
  }

  /** Shows a stand of a growing answer. What fails here is not tried again: a newer stand or the final text follows. */
  async function show(adapter: Adapter, draft: NewDraft, before: readonly string[]): Promise<SendOutcome> {
    const shown = [...before];
    try {
      const [whole] = draft.parts;
      if (draft.edits !== undefined && whole !== undefined) {
        await editReadable(adapter, draft.target, draft.edits, whole, { key: draft.stream });
        return { kind: 'sent', shown };
      }
      if (draft.parts.length === 0) {
        void adapter.typing?.(draft.target).catch(() => {}); // nobody waits for a typing indicator
        return { kind: 'sent', shown };
      }
      for (let part = Math.max(0, shown.length - 1); part < draft.parts.length; part++) {
        const document = draft.parts[part];
        const here = shown[part];
        if (document === undefined) continue;
        const options = { key: `${draft.stream}:${part}`, draft: true };
        const target = part === 0 ? draft.target : withoutReply(draft.target);
        if (here === undefined) shown[part] = await sendReadable(adapter, target, document, options);
        else if (adapter.edit !== undefined) await editReadable(adapter, target, here, document, options);
      }
      return { kind: 'sent', shown };
    } catch (thrown) {
      const error = asAntlerError(thrown);
      log.debug(
        { channel: draft.channel, stream: draft.stream, code: error.code },
        'a stand of an answer was not shown',
      );
      const delayMs = error.code === 'rate_limited' ? (error.retryAfterMs ?? 1_000) : 0;
      return delayMs > 0 ? { kind: 'retry', delayMs, error: error.code, shown } : { kind: 'sent', shown };
    }
  }

  function lateNote({ delivery, enqueuedAt }: Outgoing & { kind: 'delivery' }): string {
    const age = clock.now() - enqueuedAt;
    if (age < lateMs) return '';
    const language = languageFor(delivery);
    return `_${say(language, 'late_note', { late: durationIn(language, age) })}_`;
  }
}

const languageFor = ({ language, document }: NewDelivery): Language =>
  language ?? languageOf(undefined, document.markdown);

/** Sends; as plain text when the platform refuses the formatting. */
async function sendReadable(
  adapter: Adapter,
  target: Target,
  document: Document,
  options: SendOptions,
): Promise<string> {
  return readable(options, async (how) => (await adapter.send(target, document, how)).id);
}

async function editReadable(
  adapter: Adapter,
  target: Target,
  messageId: string,
  document: Document,
  options: SendOptions,
): Promise<void> {
  await readable(options, async (how) => {
    try {
      await adapter.edit?.(target, messageId, document, how);
    } catch (error) {
      if (asAntlerError(error).code !== 'not_modified') throw error; // it shows this text already
    }
  });
}

async function readable<Result>(options: SendOptions, act: (how: SendOptions) => Promise<Result>): Promise<Result> {
  try {
    return await act(options);
  } catch (error) {
    if (asAntlerError(error).code !== 'format_refused') throw error;
    return act({ ...options, plain: true });
  }
}
