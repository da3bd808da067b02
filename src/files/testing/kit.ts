import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { web } from '../../../channels/web/index.ts';
import { newThreadId } from '../../base/ids.ts';
import type { ChannelBook, ChannelEntry, ChannelSettings } from '../../channel/book.ts';
import type { InboundFile, InboundMessage } from '../../channel/message.ts';
import type { Adapter, FetchedFile, Manifest } from '../../channel/port.ts';

/** The largest file that the played channel hands over, in bytes. */
export const MAX_FILE_BYTES = 1_000;

/** One channel, `chat`, of which only that it has files matters. */
export const channels: ChannelBook = new Map<string, ChannelEntry>([
  [
    'chat',
    {
      settings: { name: 'chat' } as ChannelSettings,
      manifest: { ...(web as Manifest), capabilities: { ...web.capabilities, maxFileInBytes: MAX_FILE_BYTES } },
    },
  ],
]);

/** An adapter that can do nothing but fetch. */
export function fetching(fetchFile: (file: InboundFile, signal: AbortSignal) => Promise<FetchedFile>): Adapter {
  return {
    start: async () => {},
    stop: async () => {},
    probe: async () => ({ ok: true }),
    send: async () => ({ id: '1' }),
    fetchFile: (file, { signal }) => fetchFile(file, signal),
  };
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A message with files, as an adapter makes it. */
export function messageWith(...files: readonly Partial<InboundFile>[]): InboundMessage {
  return {
    channel: 'chat',
    channelType: 'web',
    tenant: '',
    chat: { id: 'c1', kind: 'dm' },
    id: newThreadId(),
    kind: 'message',
    sender: { id: 'u1', name: 'Ann', isBot: false },
    sentAt: 1_700_000_000_000,
    text: 'look',
    addressed: 'dm',
    mentions: [],
    files: files.map((file, index) => ({ id: `ref-${index}`, kind: 'file', name: `file-${index}.txt`, ...file })),
  };
}

/** A folder that is gone after the test. */
export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'antler-files-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
