import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, test } from 'node:test';
import { AntlerError } from '../../src/base/errors.ts';
import { type Message, shownText } from '../../src/simulator/slack/index.ts';
import { type RigOptions, startRig, threadBelow } from './testing/rig.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function rig(options?: RigOptions) {
  const made = await startRig(options);
  closers.push(made.stop);
  const { slack, dm, channel, ann, inbox, adapter } = made;
  const last = (where = dm): Message => slack.visible(where).at(-1) ?? assert.fail('nothing was said');
  /** A question in the channel, heard by the bot; its answer goes into the thread below it. */
  const asked = async () => {
    await adapter.start();
    const root = slack.people.say(ann, channel, '@antler tell me');
    await inbox.next();
    return { root, target: threadBelow(channel, root) };
  };
  return { ...made, last, asked };
}

test('a message is sent, changed and deleted', async () => {
  const { adapter, target, last, slack, dm } = await rig();
  const { id } = await adapter.send(target, { markdown: '# Hi\n\n| a |\n|---|\n| 1 |' }, { key: '1' });
  assert.deepEqual([last().ts, last().text], [id, '*Hi*\n\n```\na\n-\n1\n```']);
  assert.deepEqual(last().blocks, [{ type: 'markdown', text: '# Hi\n\n| a |\n|---|\n| 1 |' }]);
  await adapter.edit?.(target, id, { markdown: 'changed' }, { key: '1' });
  assert.equal(shownText(last()), 'changed');
  await adapter.edit?.(target, id, { markdown: '**plain**' }, { key: '1', plain: true });
  assert.deepEqual([last().text, last().blocks], ['plain', []]);
  await adapter.delete?.(target, id);
  await adapter.delete?.(target, id);
  assert.deepEqual(slack.visible(dm), []);
  await adapter.send(target, { markdown: '  ' }, { key: '2' });
  assert.equal(shownText(last()), '…');
});

test('a failed send says what is known: not sent, refused, or nobody knows', async () => {
  const { slack, adapter, target } = await rig();
  const send = () => adapter.send(target, { markdown: '**hi**' }, { key: '1' });
  const codes: [Parameters<typeof slack.faults.plan>[1], string][] = [
    [{ kind: 'drop', processed: false }, 'uncertain'],
    [{ kind: 'raw', status: 200, body: '<html>captive portal</html>' }, 'uncertain'],
    [{ kind: 'raw', status: 200, body: '{"ok":true}' }, 'uncertain'],
    [{ kind: 'raw', status: 504, body: '' }, 'uncertain'],
    [{ kind: 'refuse', error: 'fatal_error' }, 'uncertain'],
    [{ kind: 'raw', status: 503, body: '<html>' }, 'unavailable'],
    [{ kind: 'refuse', error: 'invalid_blocks' }, 'format_refused'],
    [{ kind: 'refuse', error: 'msg_blocks_too_long' }, 'format_refused'],
    [{ kind: 'refuse', error: 'channel_not_found' }, 'target_gone'],
    [{ kind: 'refuse', error: 'is_archived' }, 'target_gone'],
    [{ kind: 'refuse', error: 'restricted_action' }, 'forbidden'],
    [{ kind: 'refuse', error: 'missing_scope', details: { needed: 'chat:write' } }, 'forbidden'],
    [{ kind: 'refuse', error: 'token_revoked' }, 'unauthorized'],
    [{ kind: 'refuse', error: 'brand_new_error' }, 'bad_input'],
  ];
  for (const [fault, code] of codes) {
    slack.faults.plan('chat.postMessage', fault);
    await assert.rejects(send, { code }, JSON.stringify(fault));
  }
  slack.faults.plan('chat.postMessage', { kind: 'limit', retryAfter: 7 });
  await assert.rejects(send, { code: 'rate_limited', retryable: true, retryAfterMs: 7_000 });
  slack.faults.plan('chat.update', { kind: 'drop', processed: true });
  const { id } = await send();
  await assert.rejects(async () => adapter.edit?.(target, id, { markdown: 'x' }, { key: '1' }), {
    code: 'unavailable',
  });
  await assert.rejects(async () => adapter.edit?.(target, '1.000001', { markdown: 'x' }, { key: '1' }), {
    code: 'target_gone',
  });
  assert.equal(slack.calls.list('chat.postMessage').length, codes.length + 2);
});

test('one limited channel does not hold up the others', async () => {
  const { slack, adapter, target, channel, last } = await rig();
  slack.faults.plan('chat.postMessage', { kind: 'limit', retryAfter: 30 });
  await assert.rejects(adapter.send(target, { markdown: 'x' }, { key: '1' }), { code: 'rate_limited' });
  await adapter.send({ chat: channel.id, chatKind: 'group' }, { markdown: 'y' }, { key: '2' });
  assert.equal(shownText(last(channel)), 'y');
});

test('a send that arrived although its answer was lost is found again, not said again', async () => {
  const { slack, adapter, target, dm, asked, channel } = await rig();
  slack.faults.plan('chat.postMessage', { kind: 'drop', processed: true });
  const { id } = await adapter.send(target, { markdown: 'once' }, { key: 't:1:0' });
  assert.deepEqual(
    dm.messages.map(({ ts }) => ts),
    [id],
  );
  const { root, target: thread } = await asked();
  slack.faults.plan('chat.postMessage', { kind: 'drop', processed: true });
  const inThread = await adapter.send(thread, { markdown: 'once' }, { key: 't:2:0' });
  assert.deepEqual(
    channel.messages.filter(({ threadTs }) => threadTs === root.ts).map(({ ts }) => ts),
    [inThread.id],
  );
});

test('a send that is begun again is not said twice, whoever begins it', async () => {
  const { slack, adapter, replica, target, dm, ann, asked, channel, keys } = await rig();
  const texts = (): string[] => slack.visible(dm).map((message) => shownText(message));
  const first = await adapter.send(target, { markdown: 'a' }, { key: 't:1:0' });
  const other = await replica();
  assert.deepEqual(await other.send(target, { markdown: 'a' }, { key: 't:1:0' }), first);
  // The connection breaks, and nothing can be looked up either.
  slack.faults.plan('chat.postMessage', { kind: 'drop', processed: true });
  slack.faults.plan('conversations.history', { kind: 'drop', processed: false }, 2);
  await assert.rejects(adapter.send(target, { markdown: 'b' }, { key: 't:2:0' }), { code: 'uncertain' });
  slack.faults.plan('conversations.history', { kind: 'raw', status: 503, body: '' });
  await assert.rejects(adapter.send(target, { markdown: 'b' }, { key: 't:2:0' }), { code: 'unavailable' });
  slack.faults.plan('conversations.history', { kind: 'refuse', error: 'missing_scope' });
  await assert.rejects(adapter.send(target, { markdown: 'b' }, { key: 't:2:0' }), { code: 'uncertain' });
  await adapter.send(target, { markdown: 'b' }, { key: 't:2:0' });
  assert.deepEqual(texts(), ['a', 'b']);
  // It has never reached Slack.
  slack.faults.plan('chat.postMessage', { kind: 'drop', processed: false });
  await assert.rejects(adapter.send(target, { markdown: 'c' }, { key: 't:3:0' }), { code: 'uncertain' });
  await adapter.send(target, { markdown: 'c' }, { key: 't:3:0' });
  // What was refused needs no looking up.
  const looked = slack.calls.list('conversations.history').length;
  slack.faults.plan('chat.postMessage', { kind: 'limit', retryAfter: 1 });
  await assert.rejects(adapter.send(target, { markdown: 'd' }, { key: 't:4:0' }), { code: 'rate_limited' });
  await adapter.send(target, { markdown: 'd' }, { key: 't:4:0' });
  assert.equal(slack.calls.list('conversations.history').length, looked);
  assert.deepEqual(texts(), ['a', 'b', 'c', 'd']);
  // More was said since than can be looked through.
  slack.faults.plan('chat.postMessage', { kind: 'drop', processed: true });
  slack.faults.plan('conversations.history', { kind: 'drop', processed: false }, 2);
  await assert.rejects(adapter.send(target, { markdown: 'e' }, { key: 't:5:0' }), { code: 'uncertain' });
  for (let n = 0; n < 201; n++) slack.people.say(ann, dm, String(n));
  await assert.rejects(adapter.send(target, { markdown: 'e' }, { key: 't:5:0' }), { code: 'uncertain' });
  // The thread has gone in the meantime.
  const { root, target: thread } = await asked();
  slack.people.delete(root);
  slack.faults.plan('chat.postMessage', { kind: 'refuse', error: 'thread_not_found' });
  slack.faults.plan('chat.postMessage', { kind: 'drop', processed: true });
  slack.faults.plan('conversations.replies', { kind: 'drop', processed: false }, 2);
  await assert.rejects(adapter.send(thread, { markdown: 'f' }, { key: 't:6:0' }), { code: 'uncertain' });
  await adapter.send(thread, { markdown: 'f' }, { key: 't:6:0' });
  assert.deepEqual(
    slack.visible(channel).map((message) => shownText(message)),
    ['f'],
  );
  assert.ok(keys.size < 20);
});

test('a stand of an answer passes for its end, when neither sending was confirmed', async () => {
  const { slack, adapter, target, dm } = await rig();
  slack.faults.plan('chat.postMessage', { kind: 'drop', processed: true });
  slack.faults.plan('conversations.history', { kind: 'drop', processed: false }, 2);
  await assert.rejects(adapter.send(target, { markdown: 'One' }, { key: 't:1:0', draft: true }), { code: 'uncertain' });
  const end = () => adapter.send(target, { markdown: 'One, two' }, { key: 't:1:0' });
  slack.faults.plan('chat.postMessage', { kind: 'drop', processed: false });
  await assert.rejects(end(), { code: 'uncertain' });
  await end();
  assert.equal(shownText(slack.visible(dm).at(-1) ?? assert.fail()), 'One, two');
});

test('where nobody listens, nothing was sent', async () => {
  const nobody = createServer().listen(0, '127.0.0.1');
  await once(nobody, 'listening');
  const { port } = nobody.address() as AddressInfo;
  nobody.close();
  const { adapter, target } = await rig({ config: { api_root: `http://127.0.0.1:${port}/api/` } });
  await assert.rejects(adapter.send(target, { markdown: 'x' }, { key: '1' }), { code: 'unavailable', retryable: true });
});

test('a call that is called off ends at once', async () => {
  const { slack, adapter, target } = await rig();
  slack.faults.plan('chat.postMessage', { kind: 'hang' });
  const off = new AbortController();
  const sending = adapter.send(target, { markdown: 'x' }, { key: '1', signal: off.signal });
  await slack.calls.waitFor('chat.postMessage', 1);
  off.abort();
  await assert.rejects(sending, (error) => error instanceof AntlerError && error.code === 'uncertain');
  await assert.rejects(adapter.send(target, { markdown: 'x' }, { key: '1', signal: off.signal }), {
    code: 'cancelled',
  });
});

test('an answer whose question was deleted stands for itself', async () => {
  const { slack, adapter, channel, asked, last } = await rig();
  const { root, target } = await asked();
  slack.people.delete(root);
  await adapter.send(target, { markdown: 'the answer' }, { key: '1' });
  assert.deepEqual([shownText(last(channel)), last(channel).threadTs], ['the answer', undefined]);
});

test('in a thread an answer streams by Slack’s own means and ends complete', async () => {
  const { slack, adapter, channel, asked, last } = await rig();
  const { root, target } = await asked();
  const { id } = await adapter.send(target, { markdown: 'One' }, { key: '1', draft: true });
  await adapter.edit?.(target, id, { markdown: 'One, **tw' }, { key: '1', draft: true });
  await adapter.edit?.(target, id, { markdown: 'One, **tw' }, { key: '1', draft: true });
  await adapter.edit?.(target, id, { markdown: 'One, **two** \ud83d' }, { key: '1', draft: true });
  assert.deepEqual([last(channel).threadTs, last(channel).stream?.state], [root.ts, 'in_progress']);
  const buttons = [{ label: 'More', value: 'more' }];
  await adapter.edit?.(target, id, { markdown: 'One, **two** 😀!', buttons }, { key: '1' });
  assert.deepEqual([shownText(last(channel)), last(channel).stream?.state], ['One, **two** 😀!', 'completed']);
  assert.equal(last(channel).blocks.at(-1)?.type, 'actions');
  const [start] = slack.calls.list('chat.startStream');
  assert.deepEqual([start?.params.recipient_team_id, slack.calls.list('chat.update').length], [slack.team.id, 0]);
  await adapter.edit?.(target, id, { markdown: 'corrected' }, { key: '1' });
  assert.equal(shownText(last(channel)), 'corrected');
  await adapter.delete?.(target, id);
  assert.equal(last(channel), root);
});

test('whatever becomes of a stream, the final text arrives, once', async () => {
  const { slack, adapter, clock, channel, asked, replica, ann } = await rig({
    slack: { limits: { streamLifeMs: 3_600_000 } },
  });
  const { target } = await asked();
  const other = await replica();
  const began = async () => (await adapter.send(target, { markdown: 'One' }, { key: '1', draft: true })).id;
  const grow = (id: string, markdown: string, by = adapter) =>
    by.edit?.(target, id, { markdown }, { key: '1', draft: true });
  const finish = (id: string, markdown: string, by = adapter) => by.edit?.(target, id, { markdown }, { key: '1' });
  const ends: [string, (id: string) => Promise<unknown>][] = [
    [
      'the text was changed instead of prolonged',
      async (id) => {
        await grow(id, 'Won');
        await grow(id, 'Won, tw');
        await finish(id, 'The end');
      },
    ],
    [
      'another replica goes on',
      async (id) => {
        await grow(id, 'One, two', other);
        await finish(id, 'The end', other);
      },
    ],
    ['another replica finishes', (id) => finish(id, 'The end', other) ?? assert.fail()],
    [
      'an append is lost',
      async (id) => {
        slack.faults.plan('chat.appendStream', { kind: 'drop', processed: true });
        await grow(id, 'One, two');
        await finish(id, 'The end');
      },
    ],
    [
      'Slack has ended it',
      async (id) => {
        slack.faults.plan('chat.appendStream', { kind: 'refuse', error: 'message_not_in_streaming_state' });
        await grow(id, 'One, two');
        await grow(id, 'One, two, three');
        await finish(id, 'The end');
      },
    ],
    [
      'Slack has ended it before the last',
      async (id) => {
        slack.faults.plan('chat.stopStream', { kind: 'refuse', error: 'message_not_in_streaming_state' });
        slack.faults.plan('chat.update', { kind: 'raw', status: 503, body: '' });
        await assert.rejects(async () => finish(id, 'One, two'), { code: 'unavailable' });
        slack.faults.clear();
        const message = channel.messages.at(-1);
        if (message?.stream !== undefined) message.stream.state = 'completed';
        await finish(id, 'The end');
      },
    ],
    [
      'the end is lost',
      async (id) => {
        slack.faults.plan('chat.stopStream', { kind: 'drop', processed: true });
        await assert.rejects(async () => finish(id, 'One, two'), { code: 'unavailable' });
        await finish(id, 'The end');
      },
    ],
    [
      'it took too long',
      async (id) => {
        clock.skipMs += 250_000;
        await grow(id, 'One, two');
        await grow(id, 'One, two, three');
        await finish(id, 'The end');
      },
    ],
    [
      'nothing was said for longer than Slack keeps it open',
      async (id) => {
        const message = channel.messages.at(-1) ?? assert.fail();
        message.stream = { state: 'in_progress', startedAt: Date.now() - 4_000_000 };
        await finish(id, 'The end');
        message.stream = { state: 'completed', startedAt: 0 };
      },
    ],
    [
      'neither its end nor its edit may hold these blocks',
      async (id) => {
        slack.faults.plan('chat.stopStream', { kind: 'refuse', error: 'invalid_blocks' });
        slack.faults.plan('chat.update', { kind: 'refuse', error: 'invalid_blocks' });
        await assert.rejects(async () => finish(id, 'One, **two**'), { code: 'format_refused' });
        await adapter.edit?.(target, id, { markdown: 'The end' }, { key: '1', plain: true });
      },
    ],
    [
      'Slack is away while it ends',
      async (id) => {
        slack.faults.plan('chat.appendStream', { kind: 'raw', status: 502, body: '<html>' });
        slack.faults.plan('chat.stopStream', { kind: 'raw', status: 502, body: '<html>' }, 4);
        await assert.rejects(async () => grow(id, 'One, two, three'), { retryable: true });
        await assert.rejects(async () => finish(id, 'The end'), { retryable: true });
        await finish(id, 'The end');
      },
    ],
    [
      'somebody is mentioned in the end only',
      async (id) => {
        await grow(id, 'One @Ann');
        await finish(id, `One [@Ann](mention:${ann.id})`);
        assert.equal(shownText(channel.messages.at(-1) ?? assert.fail()), `One <@${ann.id}>`);
        await finish(id, 'The end');
      },
    ],
    [
      'the formatting is refused at the end',
      (id) => adapter.edit?.(target, id, { markdown: 'The end' }, { key: '1', plain: true }) ?? assert.fail(),
    ],
  ];
  for (const [name, end] of ends) {
    const before = channel.messages.length;
    await end(await began());
    const after = channel.messages.slice(before);
    assert.deepEqual(
      after.map((message) => shownText(message)),
      ['The end'],
      name,
    );
    assert.notEqual(after[0]?.stream?.state, 'in_progress', name);
  }
});

test('a stream of whose beginning nobody heard is found and goes on', async () => {
  const { slack, adapter, channel, asked } = await rig();
  const { target } = await asked();
  const draft = { key: '1', draft: true };
  slack.faults.plan('chat.startStream', { kind: 'drop', processed: true });
  const { id } = await adapter.send(target, { markdown: 'One' }, draft);
  await adapter.edit?.(target, id, { markdown: 'One, two' }, draft);
  await adapter.edit?.(target, id, { markdown: 'One, two, three' }, { key: '1' });
  slack.faults.plan('chat.startStream', { kind: 'drop', processed: false });
  await assert.rejects(adapter.send(target, { markdown: 'One' }, draft), { code: 'uncertain' });
  const shown = slack.visible(channel).slice(1);
  assert.deepEqual(
    shown.map((message) => [shownText(message), message.stream?.state]),
    [['One, two, three', 'completed']],
  );
});

test('where Slack does not stream, an answer grows by edits', async () => {
  const { slack, adapter, target, channel, asked, dm, last } = await rig();
  const inDm = await adapter.send(target, { markdown: 'One **tw' }, { key: '1', draft: true });
  assert.equal(shownText(last(dm)), 'One **tw**');
  await adapter.edit?.(target, inDm.id, { markdown: 'One **two**' }, { key: '1' });
  assert.deepEqual([shownText(last(dm)), slack.calls.list('chat.startStream').length], ['One **two**', 0]);
  const { target: thread } = await asked();
  slack.faults.plan('chat.startStream', { kind: 'limit', retryAfter: 9 });
  await adapter.send(thread, { markdown: 'limited' }, { key: '2', draft: true });
  slack.faults.plan('chat.startStream', { kind: 'refuse', error: 'unknown_method' });
  await adapter.send(thread, { markdown: 'unknown' }, { key: '3', draft: true });
  await adapter.send(thread, { markdown: 'not asked again' }, { key: '4', draft: true });
  assert.equal(slack.calls.list('chat.startStream').length, 2);
  assert.deepEqual(
    slack
      .visible(channel)
      .slice(1)
      .map((message) => shownText(message)),
    ['limited', 'unknown', 'not asked again'],
  );
});

test('in a thread it shows that the bot is at work, in the language of the one who asked', async () => {
  const { slack, adapter, channel, bob, inbox, target } = await rig();
  const shown: string[] = [];
  slack.events.subscribe((event) => event.type === 'status' && shown.push(event.status));
  await adapter.typing?.(target);
  await adapter.start();
  const root = slack.people.say(bob, channel, '@antler 你好');
  await inbox.next();
  await adapter.typing?.(threadBelow(channel, root));
  slack.faults.plan('assistant.threads.setStatus', { kind: 'refuse', error: 'missing_scope' });
  await adapter.typing?.(threadBelow(channel, root));
  await adapter.typing?.(threadBelow(channel, root));
  assert.deepEqual([shown, slack.calls.list('assistant.threads.setStatus').length], [['正在思考…'], 2]);
});
