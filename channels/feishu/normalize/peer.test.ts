import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as sdk from '@larksuiteoapi/node-sdk';
import fc from 'fast-check';
import { BOT, CONTEXT, IN_GROUP, mention, messageEvent } from '../fixtures/events.ts';
import { parseResourceId } from '../resource.ts';
import { normalize } from './index.ts';

/**
 * The vendor's own normaliser reads the same events. It differs where it is known to be wrong: it takes `@_user_1` for
 * the beginning of `@_user_10`, drops spaces, and takes what was typed by hand for a placeholder.
 */
type Raw = Parameters<typeof sdk.normalize>[0];
const botIdentity = { openId: BOT.openId, name: BOT.name };

async function both(event: object) {
  const ours = normalize(event, CONTEXT)?.message ?? assert.fail();
  const { event: raw } = event as { event: Raw };
  return { ours, theirs: await sdk.normalize(raw, { botIdentity }) };
}

const name = fc.constantFrom('Ann', '小波', 'O’Neil', 'Ann Lee', '50% $& off');
const people = fc
  .array(name, { maxLength: 9 })
  .map((names) => names.map((each, i) => mention(`@_user_${i + 1}`, `ou_${i}`, each)));
const words = fc.string({ unit: fc.constantFrom(...'ab 谢,.\n🎉') });
const places = fc.record(
  {
    ...{ root_id: fc.constant('om_r'), parent_id: fc.constant('om_p'), thread_id: fc.constant('omt_1') },
    chat_type: fc.constantFrom('p2p', 'group'),
  },
  { requiredKeys: ['chat_type'] },
);
const bare = (text: string): string => text.replace(/\s+/g, ' ').trim();

test('texts, mentions and places are read as the vendor’s SDK reads them', async () => {
  await fc.assert(
    fc.asyncProperty(people, fc.array(words, { maxLength: 9 }), places, async (mentions, parts, more) => {
      const text = parts.map((part, i) => `${part}${i < mentions.length ? `@_user_${i + 1} ` : ''}`).join('');
      const { ours, theirs } = await both(messageEvent({ content: { text }, mentions, more }));
      assert.equal(bare(ours.text), bare(theirs.content));
      assert.deepEqual(
        ours.mentions.map(({ id }) => id),
        theirs.mentions.map(({ openId }) => openId),
      );
      assert.deepEqual(
        [ours.id, ours.chat.id, ours.chat.kind === 'dm', ours.sender.id, ours.sentAt, ours.topic],
        [
          theirs.messageId,
          theirs.chatId,
          theirs.chatType === 'p2p',
          theirs.senderId,
          theirs.createTime,
          theirs.threadId,
        ],
      );
    }),
  );
});

test('who is called is the same, in every order', async () => {
  const own = mention('@_user_1', BOT.openId, BOT.name);
  for (const [text, mentions] of [
    ['@_user_1 hi', [own]],
    ['hi @_user_2 @_user_1', [own, mention('@_user_2', 'ou_2', 'Bob')]],
    ['@_all hi', [mention('@_all', '', 'all')]],
    ['@_user_1 hi', [mention('@_user_1', 'ou_other', BOT.name)]],
    ['hi', []],
  ] as const) {
    const { ours, theirs } = await both(messageEvent({ content: { text }, mentions, more: IN_GROUP }));
    assert.equal(ours.addressed === 'mention', theirs.mentionedBot, text);
    assert.equal(ours.addressed === 'all', theirs.mentionAll, text);
  }
});

const element = fc.oneof(
  fc.record({ tag: fc.constant('text'), text: words }),
  fc.record({ tag: fc.constant('a'), text: fc.constant('doc'), href: fc.constant('https://h.example/x') }),
  fc.record({ tag: fc.constant('at'), user_id: fc.constantFrom('@_user_1', 'ou_0'), user_name: fc.constant('Ann') }),
  fc.record({ tag: fc.constant('img'), image_key: fc.constantFrom('img_1', 'img_2') }),
  fc.record({ tag: fc.constant('media'), file_key: fc.constant('file_1'), image_key: fc.constant('img_3') }),
  fc.record({ tag: fc.constant('md'), text: words }),
);
const rows = fc.array(fc.array(element, { maxLength: 5 }), { maxLength: 5 });

test('rich texts hold the same words and files', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (content) => {
      const mentions = [mention('@_user_1', 'ou_0', 'Ann')];
      const { ours, theirs } = await both(messageEvent({ type: 'post', content: { zh_cn: { content } }, mentions }));
      const plain = (text: string): string =>
        bare(text.replace(/!\[image\]\(\w+\)|<file key="\w+"\/>|\[(?:image|video)\]/g, '').replace(/\s/g, ''));
      if (theirs.content !== '[rich text message]') assert.equal(plain(ours.text), plain(theirs.content));
      assert.deepEqual(
        ours.files.map(({ id }) => parseResourceId(id).key),
        theirs.resources.map(({ fileKey }) => fileKey),
      );
    }),
  );
});

test('every kind of message carries the same files', async () => {
  const contents: [string, object][] = [
    ['image', { image_key: 'img_1' }],
    ['file', { file_key: 'file_1', file_name: 'a.pdf' }],
    ['audio', { file_key: 'file_1', duration: 1_000 }],
    ['media', { file_key: 'file_1', file_name: 'a.mp4' }],
    ['folder', { file_key: 'file_1', file_name: 'docs' }],
    ...['share_chat', 'share_user', 'location', 'system', 'vote', 'todo', 'hongbao', 'calendar', 'video_chat'].map(
      (type): [string, object] => [type, {}],
    ),
  ];
  for (const [type, content] of contents) {
    const { ours, theirs } = await both(messageEvent({ type, content }));
    assert.deepEqual(
      ours.files.map(({ id }) => parseResourceId(id).key),
      theirs.resources.map(({ fileKey }) => fileKey),
      type,
    );
    assert.notEqual(ours.text, '', type);
  }
});

test('reactions and presses are read alike', () => {
  const reaction = { message_id: 'om_1', reaction_type: { emoji_type: 'OK' }, user_id: { open_id: 'ou_1' } };
  for (const change of ['added', 'removed'] as const) {
    const type = `im.message.reaction.${change === 'added' ? 'created' : 'deleted'}_v1`;
    const event = { header: { event_id: 'e', event_type: type }, event: { ...reaction, action_time: '1770000000000' } };
    const ours = normalize(event, CONTEXT)?.message ?? assert.fail();
    const theirs = sdk.normalizeReaction(event.event, change) ?? assert.fail();
    assert.deepEqual(
      [ours.sender.id, ours.quote?.messageId, ours.sentAt],
      [theirs.operator.openId, theirs.messageId, theirs.actionTime],
    );
    assert.ok(ours.text.includes(theirs.emojiType));
  }
});
