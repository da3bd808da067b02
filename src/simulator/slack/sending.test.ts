import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type SlackOptions, shownText, startSlack } from './index.ts';
import { caller, outcome } from './testing.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function stage(options: SlackOptions = {}) {
  const slack = await startSlack(options);
  closers.push(() => slack.stop());
  const app = slack.addApp({ name: 'antler' });
  const ann = slack.addUser({ name: 'ann' });
  const dm = slack.openDm(ann, app);
  const channel = slack.addChannel({ name: 'team', members: [ann, app.user] });
  const call = caller(slack.url, app.botToken);
  const post = (params: object) => call('chat.postMessage', { channel: dm.id, ...params });
  return { slack, app, ann, dm, channel, call, post };
}

test('who calls counts', async () => {
  const { slack, app } = await stage();
  const table: [string | undefined, string, string][] = [
    [undefined, 'auth.test', 'not_authed'],
    ['xoxb-wrong', 'auth.test', 'invalid_auth'],
    [app.appToken, 'auth.test', 'not_allowed_token_type'],
    [app.botToken, 'apps.connections.open', 'not_allowed_token_type'],
    [app.appToken, 'apps.connections.open', 'ok'],
    [app.botToken, 'auth.test', 'ok'],
    [app.botToken, 'chat.shout', 'unknown_method'],
  ];
  for (const [token, method, expected] of table)
    assert.equal(outcome(await caller(slack.url, token)(method)), expected);
  app.scopes = new Set(['users:read']);
  const refused = await caller(slack.url, app.botToken)('chat.postMessage', { channel: 'C1', text: 'x' });
  assert.deepEqual([refused.error, refused.needed, refused.provided], ['missing_scope', 'chat:write', 'users:read']);
});

test('a message is posted where the bot may write', async () => {
  const { slack, ann, app, call, post, dm, channel } = await stage();
  assert.equal(outcome(await post({ text: 'x', channel: ann.id })), 'ok');
  assert.equal(shownText(slack.visible(dm)[0] ?? assert.fail()), 'x');
  const elsewhere = slack.addChannel({ name: 'other', members: [ann] });
  const secret = slack.addChannel({ name: 'secret', kind: 'group', members: [ann] });
  channel.archived = true;
  const table: [object, string][] = [
    [{ channel: 'C9', text: 'x' }, 'channel_not_found'],
    [{ channel: elsewhere.id, text: 'x' }, 'not_in_channel'],
    [{ channel: secret.id, text: 'x' }, 'channel_not_found'],
    [{ channel: channel.id, text: 'x' }, 'is_archived'],
    [{ text: '' }, 'no_text'],
    [{ text: 'x', thread_ts: 'soon' }, 'invalid_thread_ts'],
    [{ text: 'x', thread_ts: '1.000001' }, 'thread_not_found'],
  ];
  for (const [params, expected] of table) assert.equal(outcome(await post(params)), expected, JSON.stringify(params));
  const [root] = slack.visible(dm);
  const reply = await post({ text: 'reply', thread_ts: root?.ts });
  assert.equal(outcome(await post({ text: 'x', thread_ts: reply.ts })), 'cannot_reply_to_message');
  assert.equal(outcome(await call('chat.delete', { channel: dm.id, ts: root?.ts })), 'ok');
  assert.equal(slack.people.say(app.user, dm, 'x').text, 'x');
});

test('lengths are counted as Slack counts them', async () => {
  const { post, slack, dm, call } = await stage();
  const markdown = (length: number) => ({ type: 'markdown', text: 'x'.repeat(length) });
  const section = (length: number) => ({ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(length) } });
  const button = (fields: object) => ({
    type: 'button',
    action_id: 'a',
    text: { type: 'plain_text', text: 'Ok' },
    value: 'v',
    ...fields,
  });
  const table: [object, string][] = [
    [{ text: 'x'.repeat(50_000) }, 'ok'],
    [{ markdown_text: 'x'.repeat(12_000) }, 'ok'],
    [{ markdown_text: 'x'.repeat(12_001) }, 'msg_too_long'],
    [{ markdown_text: 'x', text: 'y' }, 'markdown_text_conflict'],
    [{ blocks: [markdown(12_000)] }, 'ok'],
    [{ blocks: [markdown(12_001)] }, 'msg_blocks_too_long'],
    [{ blocks: [markdown(6_000), markdown(6_001)] }, 'msg_blocks_too_long'],
    [{ blocks: [markdown(0)] }, 'invalid_blocks'],
    [{ blocks: [section(3_000)] }, 'ok'],
    [{ blocks: [section(3_001)] }, 'invalid_blocks'],
    [{ blocks: Array.from({ length: 5 }, () => section(3_000)) }, 'msg_blocks_too_long'],
    [{ blocks: Array.from({ length: 51 }, () => section(1)) }, 'invalid_blocks'],
    [{ blocks: [{ type: 'actions', elements: [button({})] }], text: 'x' }, 'ok'],
    [{ blocks: [{ type: 'actions', elements: [button({}), button({})] }] }, 'invalid_blocks'],
    [{ blocks: [{ type: 'actions', elements: [button({ value: 'v'.repeat(2_001) })] }] }, 'invalid_blocks'],
    [
      { blocks: [{ type: 'actions', elements: [button({ text: { type: 'plain_text', text: 'x'.repeat(76) } })] }] },
      'invalid_blocks',
    ],
    [{ blocks: 'nonsense' }, 'invalid_blocks_format'],
  ];
  for (const [params, expected] of table)
    assert.equal(outcome(await post(params)), expected, JSON.stringify(params).slice(0, 90));
  const [first] = slack.visible(dm);
  assert.equal(first?.text.length, 40_000);
  assert.equal(
    outcome(await call('chat.update', { channel: dm.id, ts: first?.ts, text: 'x'.repeat(4_001) })),
    'msg_too_long',
  );
});

test('only own messages are changed; blocks stay until they are taken away', async () => {
  const { slack, ann, dm, post, call } = await stage();
  const { ts } = await post({ text: 'a', blocks: [{ type: 'markdown', text: 'A' }] });
  const update = (params: object) => call('chat.update', { channel: dm.id, ts, ...params });
  assert.equal(outcome(await update({ text: 'b' })), 'ok');
  assert.equal(shownText(slack.visible(dm)[0] ?? assert.fail()), 'A');
  assert.equal(outcome(await update({ text: 'b', blocks: [] })), 'ok');
  assert.equal(shownText(slack.visible(dm)[0] ?? assert.fail()), 'b');
  const hers = slack.people.say(ann, dm, 'mine');
  assert.equal(outcome(await update({ ts: hers.ts, text: 'x' })), 'cant_update_message');
  assert.equal(outcome(await call('chat.delete', { channel: dm.id, ts: hers.ts })), 'cant_delete_message');
  assert.equal(outcome(await call('chat.delete', { channel: dm.id, ts })), 'ok');
  assert.equal(outcome(await update({ text: 'x' })), 'message_not_found');
});

test('a stream grows in a thread, for somebody, until it is stopped or too old', async () => {
  let skipMs = 0;
  const { slack, ann, channel, call } = await stage({ now: () => Date.now() + skipMs });
  const root = slack.people.say(ann, channel, 'tell');
  const recipient = { recipient_user_id: ann.id, recipient_team_id: slack.team.id };
  const start = (params: object) => call('chat.startStream', { channel: channel.id, markdown_text: 'One', ...params });
  assert.equal(outcome(await start(recipient)), 'invalid_thread_ts');
  assert.equal(outcome(await start({ thread_ts: root.ts })), 'missing_recipient_user_id');
  const { ts } = await start({ thread_ts: root.ts, ...recipient });
  const place = { channel: channel.id, ts };
  assert.equal(
    outcome(await call('chat.appendStream', { ...place, chunks: [{ type: 'markdown_text', text: ', two' }] })),
    'ok',
  );
  assert.equal(outcome(await call('chat.update', { ...place, text: 'x' })), 'streaming_state_conflict');
  assert.equal(outcome(await call('chat.stopStream', { ...place, markdown_text: ', three' })), 'ok');
  assert.equal(shownText(slack.visible(channel)[1] ?? assert.fail()), 'One, two, three');
  assert.equal(
    outcome(await call('chat.appendStream', { ...place, markdown_text: 'x' })),
    'message_not_in_streaming_state',
  );
  const late = await start({ thread_ts: root.ts, ...recipient });
  skipMs = 301_000;
  const grow = await call('chat.appendStream', { channel: channel.id, ts: late.ts, markdown_text: 'x' });
  assert.equal(outcome(grow), 'message_not_in_streaming_state');
  assert.equal(outcome(await call('chat.update', { channel: channel.id, ts: late.ts, text: 'x', blocks: [] })), 'ok');
});

test('with rates on, a call too many is told how long to wait, and others are not', async () => {
  let now = 1_764_500_000_000;
  const { post, call, dm, channel } = await stage({ rates: true, now: () => now });
  for (let n = 0; n < 10; n++) assert.equal(outcome(await post({ text: String(n) })), 'ok');
  const refused = await post({ text: 'x' });
  assert.deepEqual([refused.error, refused.retryAfter], ['ratelimited', 10]);
  assert.equal(outcome(await post({ text: 'x', channel: channel.id })), 'ok');
  now += 10_000;
  const { ts } = await post({ text: 'y' });
  const updates: string[] = [];
  for (let n = 0; n < 51; n++)
    updates.push(outcome(await call('chat.update', { channel: dm.id, ts, text: String(n) })));
  assert.deepEqual([updates.filter((one) => one === 'ok').length, updates.at(-1)], [50, 'ratelimited']);
});

test('files are uploaded in three steps and fetched with a token', async () => {
  const { slack, app, channel, call } = await stage();
  const { upload_url: url, file_id: id } = await call('files.getUploadURLExternal', { filename: 'a.txt', length: 3 });
  assert.equal(
    outcome(await call('files.completeUploadExternal', { files: [{ id }], channel_id: channel.id })),
    'file_not_found',
  );
  assert.equal((await fetch(String(url), { method: 'POST', body: 'too long' })).status, 400);
  assert.equal((await fetch(String(url), { method: 'POST', body: 'abc' })).status, 200);
  const done = await call('files.completeUploadExternal', {
    files: [{ id }],
    channel_id: channel.id,
    initial_comment: 'see',
  });
  const [file] = done.files as { url_private_download: string }[];
  assert.equal(slack.visible(channel)[0]?.files[0]?.name, 'a.txt');
  const download = (headers: Record<string, string>) => fetch(file?.url_private_download ?? '', { headers });
  assert.equal(await (await download({ authorization: `Bearer ${app.botToken}` })).text(), 'abc');
  const page = await download({});
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html']);
});
