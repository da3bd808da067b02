import { AntlerError } from '../../src/base/errors.ts';
import type { Adapter, AdapterContext, Target } from '../../src/channel/port.ts';
import type { WebConfig } from './config.ts';
import { limits } from './limits.ts';
import { owner } from './normalize/post.ts';
import { draftStorage } from './outbound/draft-storage.ts';
import { renderHtml } from './outbound/render.ts';
import { readSignal, type SentSignal, writeSignal } from './outbound/signal.ts';
import { viewOf } from './outbound/view.ts';
import { createRoutes } from './transport/routes.ts';
import { createStreams } from './transport/streams.ts';

/** What {@link Adapter.stop} has to end. */
interface Running {
  readonly stop: AbortController;
  readonly beating: Promise<void>;
  readonly unsubscribe: () => void;
}

/** The web chat as an adapter: `send` and `edit` keep the message and tell every replica, which tell their pages. */
export function createWebAdapter(context: AdapterContext<WebConfig>): Adapter {
  const { hosted, hostedFiles, broadcast, clock, config, report } = context;
  const topic = `web:${context.channel}`;
  const streams = createStreams();
  const drafts = draftStorage();
  const publish = (signal: SentSignal): void => broadcast.publish(topic, writeSignal(signal));
  let running: Running | null = null;

  /** Rendered here and once, however many pages are open; not at all when none is. */
  const show = (data: string): void => {
    const signal = readSignal(data);
    if (signal === null) return;
    switch (signal.type) {
      case 'message': {
        const { message, answers, draft } = signal;
        const { chat, seq } = message;
        if (streams.watched(chat))
          streams.emit(chat, { event: 'message', id: seq, data: { message: viewOf(message), answers, draft } });
        return;
      }
      case 'edit': {
        const { chat, id, answers, markdown, draft } = signal;
        if (streams.watched(chat))
          streams.emit(chat, { event: 'edit', data: { id, answers, markdown, html: renderHtml(markdown), draft } });
        return;
      }
      case 'typing':
        streams.emit(signal.chat, { event: 'typing', data: { lastsMs: limits.typingLastsMs } });
        return;
      default:
        signal satisfies never;
    }
  };

  const beat = async (stop: AbortSignal): Promise<void> => {
    while (!stop.aborted) {
      await clock.sleep(limits.heartbeatMs, stop).catch(() => {});
      if (!stop.aborted) streams.beat();
    }
  };

  return {
    start: async () => {
      const stop = new AbortController();
      streams.begin();
      running = { stop, beating: beat(stop.signal), unsubscribe: broadcast.subscribe(topic, show) };
      report({ state: 'connected' });
    },
    stop: async () => {
      streams.end();
      running?.unsubscribe();
      running?.stop.abort();
      await running?.beating;
      running = null;
      report({ state: 'stopped' });
    },
    probe: async () => ({ ok: true, identity: config.bot_name }),
    send: async (target, document, { key, draft = false }) => {
      const stored = await hosted.append({
        id: key,
        chat: target.chat,
        author: 'bot',
        name: config.bot_name,
        markdown: document.markdown,
        at: clock.now(),
      });
      // Under a key that was sent before there may be an earlier stand of the text; the later one counts.
      const { markdown } = document;
      if (stored.markdown !== markdown) await hosted.edit(target.chat, stored.id, markdown);
      publish({ type: 'message', message: { ...stored, markdown }, answers: answersOf(target), draft });
      return { id: stored.id };
    },
    edit: async (target, id, { markdown }, { draft = false }) => {
      if (!draft) drafts.forget(id);
      if (!draft || !drafts.skip(id, clock.now())) await hosted.edit(target.chat, id, markdown);
      publish({ type: 'edit', chat: target.chat, id, answers: answersOf(target), markdown, draft });
    },
    typing: async ({ chat }) => publish({ type: 'typing', chat }),
    sendFile: async (target, { content: _, ...file }, caption, { key }) => {
      // Its bytes lie where every replica finds them by the file's id.
      const stored = await hosted.append({
        id: key,
        chat: target.chat,
        author: 'bot',
        name: config.bot_name,
        markdown: caption,
        at: clock.now(),
        files: [file],
      });
      publish({ type: 'message', message: stored, answers: answersOf(target), draft: false });
      return { id: stored.id };
    },
    fetchFile: async ({ id }, { maxBytes }) => {
      const [message = '', ref = ''] = id.split('/');
      const file = await hostedFiles.find(owner.chat, message, id);
      const found = file === null || ref === '' ? null : await hostedFiles.read(owner.chat, file.id);
      if (found === null) throw new AntlerError('not_found', 'the file is kept no more');
      if (found.bytes > maxBytes) throw new AntlerError('too_large', `the file has more than ${maxBytes} bytes`);
      return found;
    },
    page: createRoutes(context, streams, topic),
  };
}

const answersOf = ({ answers }: Target): string[] => [...(answers ?? [])];
