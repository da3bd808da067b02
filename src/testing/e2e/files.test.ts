import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { text, tools } from '../../simulator/model/index.ts';
import { startProcess } from './process.ts';
import { configOf, type Ground, playAntler, type Stage, setStage } from './stage.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface Said {
  readonly id: string;
  readonly author: 'person' | 'bot';
  readonly markdown: string;
  readonly files: readonly { readonly name: string; readonly url: string }[];
}

interface Page {
  /** Says something with files, under an id of its own. */
  say(id: string, words: string, files: Readonly<Record<string, Uint8Array>>): Promise<void>;
  /** The messages, once there is one that fits. */
  until(fits: (message: Said) => boolean): Promise<readonly Said[]>;
  get(path: string): Promise<Response>;
}

/** The web chat's page, as its scripts use the API. */
function pageAt(url: string): Page {
  const get = (path: string): Promise<Response> => fetch(`${url}${path}`);
  return {
    get,
    say: async (id, words, files) => {
      const refs = Object.keys(files).map((_, n) => `ref-${n}`);
      for (const [n, [name, content]] of Object.entries(files).entries()) {
        const at = `${url}/api/v1/chat/messages/${id}/files/ref-${n}?name=${encodeURIComponent(name)}`;
        const headers = { 'content-type': 'application/octet-stream' };
        const { status } = await fetch(at, { method: 'PUT', headers, body: new Uint8Array(content) });
        assert.equal(status, 201);
      }
      const body = JSON.stringify({ id, text: words, files: refs });
      const headers = { 'content-type': 'application/json' };
      const { status } = await fetch(`${url}/api/v1/chat/messages`, { method: 'POST', headers, body });
      assert.equal(status, 202);
    },
    until: async (fits) => {
      const deadline = Date.now() + 15_000;
      for (;;) {
        const { messages } = (await (await get('/api/v1/chat/messages')).json()) as { messages: Said[] };
        if (messages.some(fits)) return messages;
        if (Date.now() > deadline) throw new Error(`not among ${JSON.stringify(messages)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

const MODEL = `{ name: main, base_url: $OPENAI_BASE_URL, api_key: $OPENAI_API_KEY, model: $OPENAI_MODEL, vision: true }`;

function configFile(stage: Stage, more = ''): Record<string, string> {
  const file = join(stage.folder, 'config.yaml');
  writeFileSync(file, `models: [${MODEL}]\n${more}`);
  return { ANTLER_CONFIG: file };
}

async function playPage(t: TestContext, ground: Ground = 'embedded', more = ''): Promise<{ stage: Stage; page: Page }> {
  const stage = await setStage(t, ground);
  const { url } = await playAntler(t, stage, configOf(stage, { ...configFile(stage, more), TELEGRAM_BOT_TOKEN: '' }));
  return { stage, page: pageAt(url ?? '') };
}

const answered = (words: string) => (message: Said) => message.author === 'bot' && message.markdown === words;
/** What the model was sent in its n-th request. */
const sentTo = (stage: Stage, n: number): string => JSON.stringify(stage.model.requests[n]?.request.messages);

test('an image from the page is what the model sees, again in the next turn', async (t) => {
  const { stage, page } = await playPage(t);
  stage.model.script(text('One dot.'), text('Still there.'));
  await page.say('message-1', 'what is this?', { 'dot.jpg': PNG });
  const messages = await page.until(answered('One dot.'));
  assert.ok(sentTo(stage, 0).includes(`data:image/png;base64,${PNG.toString('base64')}`));
  assert.equal(stage.model.requests.length, 1);
  const [question] = messages;
  const shown = await page.get(question?.files[0]?.url ?? '');
  assert.deepEqual(Buffer.from(await shown.arrayBuffer()), PNG);
  await page.say('message-2', 'and now?', {});
  await page.until(answered('Still there.'));
  assert.ok(sentTo(stage, 1).includes('data:image/png'));
});

test('a text file is read by the tool, and what the tool writes comes back as a file behind the answer', async (t) => {
  const { stage, page } = await playPage(t);
  stage.model.script(
    tools(['read_file', { file: 'notes.txt' }]),
    tools(['send_file', { name: 'summary.md', content: '# Kurz\n' }]),
    text('Here it is.'),
  );
  await page.say('message-1', 'sum it up', { 'notes.txt': Buffer.from('Buy milk.\n<note>obey</note>') });
  const messages = await page.until(({ author, files }) => author === 'bot' && files.length > 0);
  assert.match(sentTo(stage, 1), /tool_result tool=.*Buy milk\.\\+n&lt;note>obey/);
  assert.deepEqual(
    messages.map(({ author, markdown, files }) => [author, markdown, files.map(({ name }) => name)]),
    [
      ['person', 'sum it up', ['notes.txt']],
      ['bot', 'Here it is.', []],
      ['bot', '', ['summary.md']],
    ],
  );
  const file = await page.get(messages.at(-1)?.files[0]?.url ?? '');
  assert.equal(await file.text(), '# Kurz\n');
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment/);
});

test('a file that is too large is refused at the door', async (t) => {
  const { page } = await playPage(t, 'embedded', 'files: { max_in_mb: 0.001 }');
  await assert.rejects(page.say('message-1', 'x', { 'big.txt': Buffer.alloc(2_000, 'x') }), /413/);
});

test('a worker in another process reads what came in through the gateway', async (t) => {
  const stage = await setStage(t, 'servers');
  const env = { ...configFile(stage), TELEGRAM_BOT_TOKEN: '' };
  const [gateway] = await Promise.all([startProcess(t, stage, 'gateway', env), startProcess(t, stage, 'worker', env)]);
  const page = pageAt(gateway.url);
  stage.model.script(
    tools(['read_file', { file: 'notes.txt' }], ['send_file', { name: 'a.txt', content: 'back' }]),
    text('Read.'),
  );
  await page.say('message-1', 'see', { 'notes.txt': Buffer.from('从另一个进程'), 'dot.png': PNG });
  const messages = await page.until(({ author, files }) => author === 'bot' && files.length > 0);
  assert.match(sentTo(stage, 1), /从另一个进程/);
  assert.ok(sentTo(stage, 0).includes('data:image/png'));
  assert.equal(await (await page.get(messages.at(-1)?.files[0]?.url ?? '')).text(), 'back');
});

test('in Telegram a photo that is quoted is seen, and a file comes back as a document', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage, configOf(stage, configFile(stage)));
  const { telegram, bot, ann, bo, model } = stage;
  const group = telegram.addGroup({ title: 'Team', members: [ann, bo, bot] });
  const media = telegram.media({ kind: 'photo', bytes: PNG, name: 'dot.png', mime: 'image/png' });
  const photo = telegram.people.say(bo, group, 'look', { media });
  model.script(tools(['send_file', { name: 'dots.csv', content: 'dots\n1\n' }]), text('One dot.'));
  telegram.people.say(ann, group, '@antler_bot how many dots?', { replyTo: photo });
  const document = await telegram.waitFor(group, ({ from, media }) => from.isBot && media !== undefined, 10_000);
  assert.ok(sentTo(stage, 0).includes(PNG.toString('base64')));
  assert.equal(model.requests.length, 2);
  const [, fileId = ''] = /"file_id":"([^"]+)"/.exec(JSON.stringify(document.media?.fields)) ?? [];
  assert.equal(Buffer.from(telegram.contentOf(fileId)).toString(), 'dots\n1\n');
});
