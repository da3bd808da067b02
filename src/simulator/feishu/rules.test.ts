import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type FeishuOptions, startFeishu } from './index.ts';

const started: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});

/** A Feishu whose clock the test moves, and a client without a will of its own. */
async function stage(options: FeishuOptions = {}) {
  let now = 1_800_000_000_000;
  const feishu = await startFeishu({ now: () => now, ...options });
  started.push(feishu);
  const app = feishu.addApp();
  const ann = feishu.addUser('Ann');
  const chat = feishu.openDirectChat(ann, app);
  const post = async (path: string, body: object, method = 'POST', token = ''): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const response = await fetch(feishu.url + path, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const issued = await post('/open-apis/auth/v3/tenant_access_token/internal', {
    app_id: app.appId,
    app_secret: app.secret,
  });
  const token = String(issued.tenant_access_token);
  const call = (method: string, path: string, body: object = {}) => post(`/open-apis${path}`, body, method, token);
  const send = (type: string, content: object, more: object = {}) =>
    call('POST', '/im/v1/messages?receive_id_type=chat_id', {
      receive_id: chat.id,
      msg_type: type,
      content: JSON.stringify(content),
      ...more,
    });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { feishu, app, ann, chat, call, send, pass, post };
}

const codeOf = async (answer: Promise<Record<string, unknown>>): Promise<unknown> => (await answer).code;
const dataOf = (answer: Record<string, unknown>) => answer.data as Record<string, string>;
const CARD = (config: object = {}) => ({
  schema: '2.0',
  config,
  body: { elements: [{ tag: 'markdown', element_id: 'a', content: 'x' }] },
});

test('tokens are issued for the right secret and end', async () => {
  const { app, call, pass, post } = await stage();
  const path = '/open-apis/auth/v3/tenant_access_token/internal';
  assert.equal(await codeOf(post(path, { app_id: app.appId, app_secret: 'wrong' })), 10014);
  assert.equal(await codeOf(post(path, { app_id: 'cli_x', app_secret: '' })), 10003);
  assert.equal(await codeOf(call('GET', '/bot/v3/info')), 0);
  pass(7_200_000);
  assert.equal(await codeOf(call('GET', '/bot/v3/info')), 99991663);
});

test('a uuid sends once within an hour', async () => {
  const { feishu, chat, send, pass } = await stage();
  const uuid = 'u1';
  const first = dataOf(await send('text', { text: 'a' }, { uuid }));
  assert.equal(dataOf(await send('text', { text: 'a' }, { uuid })).message_id, first.message_id);
  pass(3_600_000);
  assert.notEqual(dataOf(await send('text', { text: 'a' }, { uuid })).message_id, first.message_id);
  assert.equal(feishu.visible(chat).length, 2);
  assert.equal(await codeOf(send('text', { text: 'a' }, { uuid: 'x'.repeat(51) })), 230001);
});

test('content is checked: size by kind, JSON, tags of rich texts, cards', async () => {
  const { send } = await stage();
  assert.equal(await codeOf(send('text', { text: 'x'.repeat(100_000) })), 0);
  assert.equal(await codeOf(send('text', { text: 'x'.repeat(160_000) })), 230025);
  assert.equal(
    await codeOf(send('post', { zh_cn: { content: [[{ tag: 'text', text: 'x'.repeat(31_000) }]] } })),
    230025,
  );
  assert.equal(await codeOf(send('post', { zh_cn: { content: [[{ tag: 'marquee', text: 'x' }]] } })), 230001);
  assert.equal(await codeOf(send('text', {})), 230001);
  assert.equal(await codeOf(send('interactive', { schema: '2.0', body: { elements: [] } })), 230099);
  assert.equal(await codeOf(send('interactive', CARD())), 0);
});

test('texts can be edited twenty times, cards patched, and neither once recalled', async () => {
  const { call, send, pass } = await stage();
  const { message_id: id } = dataOf(await send('text', { text: 'a' }));
  const edit = (n: number) =>
    call('PUT', `/im/v1/messages/${id}`, { msg_type: 'text', content: JSON.stringify({ text: `${n}` }) });
  for (let n = 0; n < 20; n++) assert.equal(await codeOf(edit(n)), 0);
  assert.equal(await codeOf(edit(20)), 230072);
  const { message_id: card } = dataOf(await send('interactive', CARD()));
  const patch = () => call('PATCH', `/im/v1/messages/${card}`, { content: JSON.stringify(CARD()) });
  assert.equal(await codeOf(patch()), 0);
  assert.equal(await codeOf(call('PUT', `/im/v1/messages/${card}`, {})), 230074);
  assert.equal(await codeOf(call('DELETE', `/im/v1/messages/${id}`)), 0);
  assert.equal(await codeOf(call('DELETE', `/im/v1/messages/${id}`)), 230011);
  assert.equal(
    await codeOf(call('POST', `/im/v1/messages/${id}/reply`, { msg_type: 'text', content: '{"text":"x"}' })),
    230011,
  );
  pass(7_000_000);
  assert.equal(await codeOf(patch()), 0);
});

test('changes of a card are numbered upwards, and streaming ends after ten minutes', async () => {
  const { call, send, pass } = await stage();
  const made = await call('POST', '/cardkit/v1/cards', {
    type: 'card_json',
    data: JSON.stringify(CARD({ streaming_mode: true })),
  });
  const { card_id: card } = dataOf(made);
  const content = { type: 'card', data: { card_id: card } };
  const { message_id: id } = dataOf(await send('interactive', content));
  assert.equal(await codeOf(send('interactive', content)), 230099, 'an entity is sent once');
  assert.equal(await codeOf(send('interactive', { card_id: card })), 230099);
  assert.equal(dataOf(await call('POST', '/cardkit/v1/cards/id_convert', { message_id: id })).card_id, card);
  const write = (sequence: number, element = 'a', uuid = '') =>
    call('PUT', `/cardkit/v1/cards/${card}/elements/${element}/content`, {
      content: `text ${sequence}`,
      sequence,
      uuid,
    });
  assert.equal(await codeOf(write(5)), 0);
  for (const sequence of [5, 4]) assert.equal(await codeOf(write(sequence)), 300317);
  for (const sequence of [0, 1.5, 2 ** 31]) assert.equal(await codeOf(write(sequence)), 300305);
  assert.equal(await codeOf(write(6, 'b')), 300313);
  assert.equal(await codeOf(write(7, 'a', 'same')), 0);
  assert.equal(await codeOf(write(7, 'a', 'same')), 0, 'the same uuid is the same change');
  pass(600_001);
  assert.equal(await codeOf(write(8)), 200850);
  assert.equal(await codeOf(write(9)), 300309);
  const settings = JSON.stringify({ config: { streaming_mode: true } });
  assert.equal(await codeOf(call('PATCH', `/cardkit/v1/cards/${card}/settings`, { settings, sequence: 10 })), 0);
  assert.equal(await codeOf(write(11)), 0);
  const elements = JSON.stringify([{ tag: 'hr' }]);
  assert.equal(
    await codeOf(call('POST', `/cardkit/v1/cards/${card}/elements`, { type: 'append', elements, sequence: 12 })),
    0,
  );
  pass(14 * 86_400_000);
});

test('rates are enforced when asked for', async () => {
  const { send, pass } = await stage({ flood: true });
  const codes = await Promise.all(Array.from({ length: 6 }, () => codeOf(send('text', { text: 'x' }))));
  assert.deepEqual(codes.filter((code) => code === 230020).length, 1);
  pass(1_000);
  assert.equal(await codeOf(send('text', { text: 'x' })), 0);
});

test('files: what is uploaded, and who gets what of a message', async () => {
  const { feishu, ann, chat, app, send, call } = await stage({ limits: { maxImageBytes: 8, maxResourceBytes: 20 } });
  const token = [...app.tokens.keys()][0];
  const headers = { authorization: `Bearer ${token}` };
  const key = feishu.addFile({ kind: 'image', name: '照片.png', bytes: Buffer.from('PNG') });
  const message = feishu.people.send(ann, chat, 'image', { image_key: key });
  const get = (id: string, type: string, of = key) =>
    fetch(`${feishu.url}/open-apis/im/v1/messages/${id}/resources/${of}?type=${type}`, { headers });
  const refusal = async (response: Promise<Response>) => ((await (await response).json()) as { code: number }).code;
  const got = await get(message.id, 'image');
  assert.match(got.headers.get('content-disposition') ?? '', /filename\*=UTF-8''%E7%85%A7/);
  assert.equal(await got.text(), 'PNG');
  assert.equal(await refusal(get(message.id, 'file')), 234001);
  const forward = feishu.people.send(ann, chat, 'merge_forward', 'x', { children: [message] });
  assert.equal((await get(forward.id, 'image')).status, 200);
  const large = feishu.addFile({ kind: 'file', name: 'a', bytes: Buffer.alloc(21) });
  const carrying = feishu.people.send(ann, chat, 'file', { file_key: large });
  assert.equal(await refusal(get(carrying.id, 'file', large)), 234037);
  assert.equal(await refusal(get(message.id, 'file', large)), 234003);

  const upload = async (path: string, fields: Record<string, string>, part: string, bytes: string) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set(part, new Blob([bytes]), 'b.bin');
    const response = await fetch(`${feishu.url}/open-apis/im/v1/${path}`, { method: 'POST', body: form, headers });
    return (await response.json()) as { code: number; data: Record<string, string> };
  };
  const picture = (bytes: string) => upload('images', { image_type: 'message' }, 'image', bytes);
  assert.equal((await picture('not a picture')).code, 234006);
  assert.equal((await picture('text')).code, 234011);
  const image = await picture('GIF89a');
  assert.equal(image.code, 0);
  const voice = await upload('files', { file_type: 'opus', file_name: 'a.opus' }, 'file', 'OggS');
  assert.equal((await upload('files', { file_type: 'exe', file_name: 'a' }, 'file', 'x')).code, 234001);
  assert.equal((await upload('files', { file_type: 'stream', file_name: 'a' }, 'file', '')).code, 234010);
  assert.equal(await codeOf(call('POST', '/im/v1/files')), 234001);
  assert.equal(await codeOf(send('image', { ...image.data })), 0);
  assert.equal(await codeOf(send('image', { image_key: 'img_none' })), 230001);
  assert.equal(await codeOf(send('file', { ...voice.data })), 230055);
  assert.equal(await codeOf(send('audio', { ...voice.data })), 0);
});

test('a bot that hears mentions only gets nothing else of a group', async () => {
  const { feishu, ann } = await stage();
  const quiet = feishu.addApp({ name: 'Quiet', hears: 'mentions' });
  const group = feishu.addGroup({ title: 'G', users: [ann], apps: [quiet] });
  feishu.people.say(ann, group, 'hello');
  feishu.people.say(ann, group, '@Quiet hello');
  assert.deepEqual(
    feishu.pushes.filter(({ app }) => app === quiet).map(({ type }) => type),
    ['im.message.receive_v1'],
  );
});
