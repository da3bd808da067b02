import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOT, CONTEXT, IN_GROUP, type MessageParts, mention, messageEvent, POST_ROWS } from '../fixtures/events.ts';
import { normalize } from './index.ts';

function read(event: object) {
  const reading = normalize(event, CONTEXT);
  assert.ok(reading !== null);
  return reading;
}
const message = (parts: MessageParts = {}) => read(messageEvent(parts)).message;

test('a rich text becomes Markdown, its files in their place', () => {
  const expected = [
    'Weekly',
    'Dear @Bob **bold** [doc](https://h.example/x)',
    '[image]',
    'then',
    '[video]',
    '[SMILE]',
    '',
    '```go',
    'fmt.Println("x")',
    '```',
    '',
    '',
    '---',
    '',
    '**md** stays',
    'new words',
  ].join('\n');
  for (const content of [POST_ROWS, { zh_cn: POST_ROWS }, { post: { ja_jp: POST_ROWS } }]) {
    const found = message({ type: 'post', content, mentions: [mention('@_user_1', 'ou_bob', 'Bob')] });
    assert.equal(found.text, expected);
    assert.deepEqual(
      found.files.map(({ id, kind }) => [id, kind]),
      [
        ['om_1/image/img_v3_1', 'image'],
        ['om_1/file/file_v3_2', 'video'],
      ],
    );
  }
  const onlyImages = message({ type: 'post', content: { content: [[{ tag: 'img', image_key: 'k' }]] } });
  assert.deepEqual([onlyImages.text, onlyImages.files.length], ['[image]', 1]);
  const own = { tag: 'at', user_id: '@_user_1', user_name: 'Antler' };
  const toBot = message({
    type: 'post',
    content: { content: [[own, { tag: 'text', text: ' do it' }]] },
    mentions: [mention('@_user_1', BOT.openId, 'Antler')],
    more: IN_GROUP,
  });
  assert.deepEqual([toBot.text, toBot.addressed], ['do it', 'mention']);
});

const UPGRADE = { elements: [[{ tag: 'text', text: '请升级至最新版本客户端，以查看内容' }]] };

test('every kind of message reads as something', () => {
  const table: [string, unknown, string, ...string[]][] = [
    ['image', { image_key: 'img_1' }, '[image]', 'om_1/image/img_1'],
    ['file', { file_key: 'f', file_name: '../a"b\u202e.exe', file_size: '5' }, '[file a_b .exe]', 'om_1/file/f'],
    ['audio', { file_key: 'f', duration: 2_000 }, '[voice voice.opus, 2 s]', 'om_1/file/f'],
    [
      ...['media', { file_key: 'f', image_key: 'i', file_name: 'a.mp4', duration: 61_000 }, '[video a.mp4, 61 s]'],
      ...['om_1/file/f', 'om_1/image/i'],
    ] as [string, unknown, string, string, string],
    ['video', { file_key: 'f' }, '[video video.mp4]', 'om_1/file/f'],
    ['sticker', { file_key: 's' }, '[sticker]'],
    ['folder', { file_key: 'f', file_name: 'docs' }, '[folder docs]'],
    ['share_chat', { chat_id: 'oc_9' }, '[group card oc_9]'],
    ['share_user', { user_id: 'ou_9' }, '[contact card ou_9]'],
    ['share_user', {}, '[contact card]'],
    ['location', { name: 'Home', longitude: '1.5', latitude: '2.5' }, '[location Home, 2.5, 1.5]'],
    [
      'todo',
      { summary: { title: '', content: [[{ tag: 'text', text: 'Buy milk' }]] }, due_time: '1770000000000' },
      '[task Buy milk, due 2026-02-02 02:40 UTC]',
    ],
    ['todo', { summary: 'Buy milk' }, '[task Buy milk]'],
    ['vote', { topic: 'Lunch?', options: ['yes', 'no'] }, '[poll Lunch? — yes / no]'],
    ['calendar', { summary: 'Standup', start_time: '1770000000000' }, '[calendar event Standup, 2026-02-02 02:40 UTC]'],
    [
      'share_calendar_event',
      { summary: 'Standup', start_time: '1770000000000', end_time: '1770001800000' },
      '[calendar event Standup, 2026-02-02 02:40 – 03:10 UTC]',
    ],
    ['general_calendar', { start_time: 'soon', end_time: 1e300 }, '[calendar event]'],
    ['hongbao', { text: '恭喜' }, '[red packet 恭喜]'],
    [
      'system',
      { template: '{from_user} invited {to_chatters}.', from_user: ['Ann'], to_chatters: ['Bob', '小波'] },
      '[system message Ann invited Bob, 小波.]',
    ],
    ['system', { template: '{from_user} left' }, '[system message left]'],
    ['video_chat', { topic: 'Sync', start_time: '1770000000000' }, '[video call Sync, 2026-02-02 02:40 UTC]'],
    ['merge_forward', { content: 'Merged and Forwarded Message' }, '[forwarded messages]'],
    ['hologram_v9', { x: 1 }, '[hologram v9]'],
    ['hologram_v9', { text: 'hi' }, '[hologram v9: hi]'],
    ['', {}, '[message]'],
    ['text', 'not JSON', '[message]'],
    ['image', '', '[image]'],
    ['image', {}, '[image]'],
    ['text', { text: 5 }, ''],
  ];
  for (const [type, content, text, ...files] of table) {
    const found = message({ type, content });
    assert.equal(found.text, text, type);
    assert.deepEqual(
      found.files.map(({ id }) => id),
      files,
      type,
    );
  }
  assert.equal(
    message({ type: 'file', content: { file_key: 'f', file_name: 'a', file_size: '5' } }).files[0]?.bytes,
    5,
  );
  assert.deepEqual(read(messageEvent({ type: 'share_user', content: { user_id: 'ou_9' } })).lookup.unnamed, {
    kind: 'person',
    id: 'ou_9',
  });
});

test('cards of every version and of both ways to get them read as their words', () => {
  const made = {
    schema: '2.0',
    header: { title: { tag: 'plain_text', content: 'Deploy' }, subtitle: { content: 'of Monday' } },
    body: {
      elements: [
        { tag: 'markdown', content: '**Ready**, <font color=red>now</font> <at id=x1 mention_key=@_user_1></at>' },
        {
          tag: 'column_set',
          columns: [{ tag: 'column', elements: [{ tag: 'div', text: { tag: 'plain_text', content: 'left' } }] }],
        },
        {
          tag: 'table',
          columns: [
            { name: 'a', display_name: 'Name' },
            { name: 'b', display_name: 'Tags' },
          ],
          rows: [{ a: 'x', b: [{ text: 'new' }, { text: 'hot' }] }],
        },
        { tag: 'img', img_key: 'img_1', alt: { tag: 'plain_text', content: 'a chart' } },
        {
          tag: 'select_static',
          placeholder: { content: 'Which?' },
          options: [{ text: { content: 'One' }, value: '1' }],
        },
        { tag: 'button', name: 'go', text: { tag: 'plain_text', content: 'Go' } },
      ],
    },
  };
  const words = 'Deploy\nof Monday\n**Ready**, now @Bob\nleft\nName | Tags\nx | new, hot\na chart\nWhich?\nOne\nGo';
  const mentions = [mention('@_user_1', 'ou_bob', 'Bob')];
  for (const content of [made, { ...UPGRADE, user_dsl: JSON.stringify(made) }, { json_card: JSON.stringify(made) }])
    assert.equal(message({ type: 'interactive', content, mentions }).text, words);
  const table: [unknown, string][] = [
    [
      {
        title: 'Alert',
        elements: [
          [
            { tag: 'text', text: 'disk ' },
            { tag: 'a', href: 'https://h.example', text: 'full' },
            { tag: 'at', user_id: '@_user_1', user_name: 'Bob' },
          ],
          [{ tag: 'button', text: 'Ack', type: 'primary' }],
        ],
      },
      'Alert\ndisk [full](https://h.example)@Bob\nAck',
    ],
    [{ i18n_elements: { en_us: [{ tag: 'markdown', content: 'x' }] } }, 'x'],
    [
      { elements: [{ tag: 'markdown', content: '<at id=all></at> <at id="ou_7">Cy</at> <at id=ou_8></at>' }] },
      '@all @Cy @someone',
    ],
    [UPGRADE, '[card]'],
    [{}, '[card]'],
    [{ ...UPGRADE, user_dsl: 'broken' }, '[card]'],
  ];
  for (const [content, text] of table) {
    const reading = read(messageEvent({ type: 'interactive', content, mentions }));
    assert.equal(reading.message.text, text);
    assert.equal(reading.lookup.inside, text === '[card]' ? 'card' : undefined);
  }
});
