import assert from 'node:assert/strict';
import { test } from 'node:test';
import { telegram } from '../../channels/telegram/index.ts';
import { AntlerError } from '../base/errors.ts';
import type { DeliveryId, FileId } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import type { Language } from '../base/sentences.ts';
import type { SendOutcome } from '../bus/port.ts';
import type { ChannelEntry, ChannelSettings } from '../channel/book.ts';
import type { Adapter, FileRef, Manifest } from '../channel/port.ts';
import { createSender } from './sender.ts';

const NOW = 1_000_000_000;
const MAX_BYTES = 1_000;

const report: FileRef = { id: 'f_1' as FileId, kind: 'file', name: 'a_report.md', mime: 'text/markdown', bytes: 4 };

interface Case {
  readonly file?: Partial<FileRef>;
  /** Null: kept no more. */
  readonly content?: string | null;
  readonly fault?: AntlerError;
  readonly takesFiles?: boolean;
  readonly language?: Language;
  readonly enqueuedAt?: number;
  readonly caption?: string;
}

/** One file goes out on a platform that writes down what it is asked. */
async function deliver(given: Case): Promise<{ outcome: SendOutcome; calls: string[] }> {
  const { file = {}, content = '# Hi', fault, takesFiles = true, language = 'en', caption = '' } = given;
  const calls: string[] = [];
  const adapter: Adapter = {
    start: async () => {},
    stop: async () => {},
    probe: async () => ({ ok: true }),
    send: async (_to, { markdown }) => ({ id: `s${calls.push(markdown)}` }),
    ...(takesFiles
      ? {
          sendFile: async (_to, sent, words, { key, plain }) => {
            calls.push(`${sent.name}: ${Buffer.from(sent.content)} [${words}] ${key}${plain === true ? ' plain' : ''}`);
            if (fault !== undefined && plain !== true) throw fault;
            return { id: 'f1' };
          },
        }
      : {}),
  };
  const capabilities = { ...telegram.capabilities, maxFileOutBytes: MAX_BYTES };
  const manifest = { ...(telegram as Manifest), capabilities };
  const entry: ChannelEntry = { manifest, settings: { name: 'x' } as ChannelSettings };
  const { send } = createSender({
    adapter: () => adapter,
    channels: new Map([['x', entry]]),
    content: async () => (content === null ? null : Buffer.from(content)),
    log: silentLogger,
    clock: { now: () => NOW },
    lateMs: 60_000,
    enqueue: async () => {},
  });
  const outcome = await send({
    kind: 'delivery',
    delivery: {
      id: 't:1:f0' as DeliveryId,
      channel: 'x',
      target: { chat: '1', chatKind: 'dm' },
      document: { markdown: caption, file: { ...report, ...file } },
      limits: [],
      at: NOW,
      resendForMs: 0,
      language,
    },
    attempt: 0,
    shown: [],
    enqueuedAt: given.enqueuedAt ?? NOW,
  });
  return { outcome, calls };
}

test('a file goes out with its bytes under the id of its delivery', async () => {
  const { outcome, calls } = await deliver({ caption: 'Look' });
  assert.deepEqual(outcome, { kind: 'sent', shown: ['f1'], messageId: 'f1' });
  assert.deepEqual(calls, ['a_report.md: # Hi [Look] t:1:f0']);
});

const cases: readonly (readonly [string, Case, string])[] = [
  [
    'a platform without files gets a short text in the message',
    { takesFiles: false },
    '_I made the file a\\_report.md (4 B), but files cannot be sent here._\n\n```md\n# Hi\n```',
  ],
  [
    'in the language of the conversation, although a file has none',
    { takesFiles: false, language: 'zh', file: { mime: 'application/pdf', bytes: 2_345_678, name: 'a.pdf' } },
    '_我生成了文件 a.pdf（2.3 MB），但这里无法发送文件。_',
  ],
  [
    'a file that is too large is never tried',
    { content: 'x'.repeat(MAX_BYTES + 1), file: { bytes: MAX_BYTES + 1, mime: 'application/zip', name: 'a.zip' } },
    '_I made the file a.zip, but with 1 KB it is larger than may be sent here._',
  ],
  [
    'a file that is kept no more is named',
    { content: null, caption: 'Look' },
    'Look\n\n_The file a\\_report.md is no longer kept here, so it cannot be sent._',
  ],
];
for (const [name, given, expected] of cases)
  test(name, async () => {
    const { outcome, calls } = await deliver(given);
    assert.equal(outcome.kind, 'sent');
    assert.deepEqual(calls, [expected]);
  });

test('a kind of file that the platform refuses is shown otherwise, fenced so that it stays whole', async () => {
  const content = '````\nx\n````';
  const { outcome, calls } = await deliver({ fault: new AntlerError('unsupported', 'no .md'), content });
  assert.equal(outcome.kind, 'sent');
  assert.match(calls[1] ?? '', /does not take files of this kind\._\n\n`````md\n````\nx\n````\n`````$/);
});

test('a text that does not fit into one message is only named', async () => {
  const { calls } = await deliver({ takesFiles: false, content: 'word '.repeat(1_500) });
  assert.equal(calls.length, 1);
  assert.doesNotMatch(calls[0] ?? '', /```/);
});

test('what another try may mend is tried again, and nothing is said meanwhile', async () => {
  const { outcome, calls } = await deliver({ fault: new AntlerError('unavailable', 'away', { retryable: true }) });
  assert.equal(outcome.kind, 'retry');
  assert.equal(calls.length, 1);
});

test('a caption whose formatting is refused goes out plain', async () => {
  const { outcome, calls } = await deliver({ fault: new AntlerError('format_refused', 'no'), caption: '**x**' });
  assert.equal(outcome.kind, 'sent');
  assert.match(calls[1] ?? '', / plain$/);
});

test('a file that comes much too late says so in its caption', async () => {
  const { calls } = await deliver({ enqueuedAt: NOW - 600_000 });
  assert.match(calls[0] ?? '', /\[_\(This answer was held up and comes 10 minutes late\.\)_\]/);
});
