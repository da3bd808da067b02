import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { App, type types } from '@slack/bolt';
import { startSlack } from './index.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function stage() {
  const slack = await startSlack({ limits: { ackMs: 500, retryDelaysMs: [10, 10, 10] } });
  closers.push(() => slack.stop());
  const app = slack.addApp({ name: 'antler', commands: ['/antler'] });
  const ann = slack.addUser({ name: 'ann' });
  const channel = slack.addChannel({ name: 'team', members: [ann, app.user] });
  return { slack, app, ann, channel, dm: slack.openDm(ann, app) };
}

/** Slack's own framework as it comes, so that the simulator is not only understood by what we wrote ourselves. */
async function boltOn({ slack, app }: Awaited<ReturnType<typeof stage>>, how: 'socket' | 'http') {
  const bolt = new App({
    token: app.botToken,
    ...(how === 'socket' ? { socketMode: true, appToken: app.appToken } : { signingSecret: app.signingSecret }),
    clientOptions: { slackApiUrl: slack.url },
    deferInitialization: true,
  });
  bolt.logger.error = () => {};
  await bolt.init();
  const heard: string[] = [];
  const note = (line: string): void => void heard.push(line);
  bolt.event('message', async ({ event }) => note(`message ${(event as types.GenericMessageEvent).text}`));
  bolt.event('app_mention', async ({ event }) => note(`mention ${event.text}`));
  bolt.event('reaction_added', async ({ event }) => note(`reaction ${event.reaction}`));
  bolt.command('/antler', async ({ command, ack }) => {
    await ack('done');
    note(`command ${command.text}`);
  });
  bolt.action('yes', async ({ ack, respond }) => {
    await ack();
    note('action');
    await respond('thanks');
  });
  const server = (await bolt.start({ port: 0, host: '127.0.0.1' } as never)) as unknown;
  closers.push(async () => {
    await bolt.stop();
    // It does not wait for its socket, and would look after the broken one for half a minute.
    while (app.socket.sockets.length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });
  if (how === 'http') {
    const { port } = (server as { address(): { port: number } }).address();
    assert.equal(await slack.setRequestUrl(app, `http://127.0.0.1:${port}/slack/events`), true);
  }
  return { bolt, heard };
}

for (const how of ['socket', 'http'] as const) {
  test(`Bolt hears by ${how} what people do, and answers`, async () => {
    const here = await stage();
    const { slack, app, ann, channel, dm } = here;
    const { bolt, heard } = await boltOn(here, how);
    const told: string[] = [];
    slack.events.subscribe((event) => event.type === 'ephemeral' && told.push(event.text));
    slack.people.say(ann, dm, 'hello <you>');
    const message = slack.people.say(ann, channel, '@antler hi');
    slack.people.react(ann, message, 'tada');
    assert.deepEqual(await slack.people.command(app, ann, channel, '/antler new topic'), {
      kind: 'acknowledged',
      response: how === 'socket' ? { text: 'done' } : 'done',
    });
    const button = { type: 'button', action_id: 'yes', text: { type: 'plain_text', text: 'Yes' }, value: '1' } as const;
    await bolt.client.chat.postMessage({
      channel: dm.id,
      text: 'Sure?',
      blocks: [{ type: 'actions', elements: [button] }],
    });
    await slack.people.press(ann, slack.visible(dm).at(-1) ?? assert.fail(), 'Yes');
    while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(heard.sort(), [
      'action',
      'command new topic',
      `mention <@${app.user.id}> hi`,
      `message <@${app.user.id}> hi`,
      'message hello &lt;you&gt;',
      'reaction tada',
    ]);
    assert.deepEqual(told, ['thanks']);
    const stream = bolt.client.chatStream({ channel: dm.id, thread_ts: dm.messages[0]?.ts ?? '', buffer_size: 1 });
    await stream.append({ markdown_text: 'one ' });
    await stream.append({ markdown_text: 'two' });
    await stream.stop();
    assert.equal(slack.visible(dm).at(-1)?.text, 'one two');
    await bolt.client.files.uploadV2({ channel_id: dm.id, content: 'abc', filename: 'a.txt' });
    assert.equal(slack.visible(dm).at(-1)?.files[0]?.name, 'a.txt');
  });
}

test('what is not acknowledged comes again, four times in all; a held event comes in any order', async () => {
  const { slack, app, ann, dm } = await stage();
  const opened = await fetch(`${slack.url}apps.connections.open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.appToken}` },
  });
  const { url } = (await opened.json()) as { url: string };
  const client = new WebSocket(url);
  const envelopes: { envelope_id: string; retry_attempt: number; payload: { event: { text: string } } }[] = [];
  let acknowledges = false;
  client.addEventListener('message', ({ data }) => {
    const envelope = JSON.parse(String(data));
    if (envelope.type === 'hello') return;
    envelopes.push(envelope);
    if (acknowledges) client.send(JSON.stringify({ envelope_id: envelope.envelope_id }));
  });
  slack.people.say(ann, dm, 'hello?');
  while (app.link.records[0]?.attempts.length !== 4) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(
    envelopes.map(({ retry_attempt: attempt }) => attempt),
    [0, 1, 2, 3],
  );
  acknowledges = true;
  app.link.hold();
  slack.people.say(ann, dm, 'first');
  slack.people.say(ann, dm, 'second');
  app.link.release((held) => held.reverse());
  while (envelopes.length < 6) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(
    envelopes.slice(4).map(({ payload }) => payload.event.text),
    ['second', 'first'],
  );
  const again = new WebSocket(url);
  await new Promise((resolve) => again.addEventListener('error', resolve));
  client.close();
});
