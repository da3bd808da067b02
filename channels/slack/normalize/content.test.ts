import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inDm, richText } from '../fixtures/events.ts';
import { must } from '../fixtures/read.ts';

test('what Slack writes for people, channels and links reads as it was typed', () => {
  const table: [string, string][] = [
    ['&lt;script&gt; &amp;amp; &amp;lt;', '<script> &amp; &lt;'],
    ['see <https://a.b/?x=1&amp;y=2|label>', 'see label (https://a.b/?x=1&y=2)'],
    ['<https://a.b/c_d>', 'https://a.b/c_d'],
    ['<http://example.com|example.com>', 'example.com'],
    ['<mailto:a@b.de|a@b.de> <tel:+491234|+49 1234>', 'a@b.de +49 1234 (tel:+491234)'],
    ['<#C1|general> <#C1> <#C1|> <#C7|>', '#general #general #general #C7'],
    ['<!here> <!channel|channel> <!everyone>', '@here @channel @everyone'],
    ['<!subteam^S1|@ops> <!subteam^S1>', '@ops @S1'],
    ['<!date^1392734382^{date}|Feb 18, 2014>', 'Feb 18, 2014'],
    ['ask <@U2> or <@U7> or <@W8|eve>', 'ask @Bob or @U7 or @eve'],
    ['a &lt;b 1<2', 'a <b 1<2'],
    ['👨‍👩‍👧 𠮷 \u202eabc', '👨‍👩‍👧 𠮷 \u202eabc'],
    ['<> <|> <@>', '<>  @?'],
  ];
  for (const [source, text] of table) assert.equal(must(inDm({ text: source })).text, text, source);
  assert.deepEqual(must(inDm({ text: '<@U2> <@U2|bob> <@UBOT> <@U7>' })).mentions, [
    { id: 'U2', name: 'Bob' },
    { id: 'U7', name: 'U7' },
  ]);
});

test('what has no text is read from blocks and attachments', () => {
  const list = {
    type: 'rich_text_list',
    style: 'bullet',
    elements: [
      { type: 'rich_text_section', elements: [{ type: 'text', text: 'a < b' }] },
      {
        type: 'rich_text_section',
        elements: [
          { type: 'user', user_id: 'U2' },
          { type: 'emoji', name: 'wave' },
        ],
      },
    ],
  };
  const blocks = [
    {
      type: 'rich_text',
      elements: [
        list,
        { type: 'rich_text_quote', elements: [{ type: 'link', url: 'https://h/?a&b', text: 'doc' }] },
        { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'x = 1' }] },
      ],
    },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: '*Build* failed' },
      fields: [{ type: 'mrkdwn', text: 'on main' }],
    },
    { type: 'header', text: { type: 'plain_text', text: 'Head' } },
    {
      type: 'context',
      elements: [
        { type: 'mrkdwn', text: 'by CI' },
        { type: 'image', alt_text: 'x' },
      ],
    },
    { type: 'image', alt_text: 'graph' },
    { type: 'brand_new' },
  ];
  assert.equal(
    must(inDm({ text: '', blocks })).text,
    '• a < b\n• @Bob:wave:\n> doc (https://h/?a&b)\n```\nx = 1\n```\n*Build* failed\non main\nHead\nby CI\n[image graph]',
  );
  const alert = { title: 'Disk full', text: 'host-1 &amp; host-2', fallback: 'no' };
  assert.equal(must(inDm({ text: '', attachments: [alert] })).text, 'Disk full\nhost-1 & host-2');
  assert.equal(must(inDm({ text: 'see <https://h>', attachments: [alert] })).text, 'see https://h');
  assert.equal(must(inDm({ text: '' })).text, '[message]');
});

test('a shared message is a quote with its author', () => {
  const share = {
    is_share: true,
    ts: '1764400000.000100',
    author_id: 'U2',
    author_name: 'bob',
    text: 'the <@U1> plan',
    files: [{ id: 'F1', name: 'plan.pdf', mimetype: 'application/pdf' }],
  };
  const alone = must(inDm({ text: '', attachments: [share] }));
  assert.deepEqual([alone.text, alone.forwardedFrom], ['[shared message]', 'Bob']);
  assert.deepEqual(alone.quote, {
    messageId: '1764400000.000100',
    author: 'Bob',
    fromBot: false,
    text: 'the @Ann Lee plan',
    files: [{ id: 'F1', kind: 'file', name: 'plan.pdf', mime: 'application/pdf' }],
  });
  const withWords = must(inDm({ text: 'what of this?', attachments: [{ ...share, author_id: 'UBOT' }] }));
  assert.deepEqual(
    [withWords.text, withWords.quote?.fromBot, withWords.forwardedFrom],
    ['what of this?', true, undefined],
  );
  const inner = {
    ...share,
    text: '',
    message_blocks: [{ team: 'T1', message: { blocks: [richText({ type: 'text', text: 'deep' })] } }],
  };
  assert.equal(must(inDm({ text: '', attachments: [inner] })).quote?.text, 'deep');
});

test('files are listed, and say what they are where nothing else is said', () => {
  const table: [object, string, string[]][] = [
    [{ id: 'F1', name: 'cat.png', mimetype: 'image/png', size: 9 }, '[image cat.png]', ['image F1 cat.png 9']],
    [
      { id: 'F2', name: 'a.webm', mimetype: 'audio/webm', subtype: 'slack_audio' },
      '[voice a.webm]',
      ['voice F2 a.webm ?'],
    ],
    [{ id: 'F3', name: 'v.mp4', mimetype: 'video/mp4' }, '[video v.mp4]', ['video F3 v.mp4 ?']],
    [{ id: 'F4', title: 'Plan', filetype: 'quip', mode: 'quip' }, '[file Plan]', ['file F4 Plan ?']],
    [{ id: 'F5', filetype: 'canvas' }, '[file F5.canvas]', ['file F5 F5.canvas ?']],
    [{ id: 'F6', file_access: 'check_file_info' }, '[file F6]', ['file F6 F6 ?']],
    [{ id: 'F7', mode: 'tombstone' }, '[file no longer available]', []],
    [{ id: 'F8', mode: 'hidden_by_limit', name: 'x' }, '[file no longer available]', []],
    [
      { id: 'F9', name: '../\u202eevil\n.png', mimetype: 'image/png' },
      '[image ../ evil .png]',
      ['image F9 ../ evil .png ?'],
    ],
  ];
  for (const [file, text, files] of table) {
    const message = must(inDm({ subtype: 'file_share', text: '', files: [file] }));
    assert.equal(message.text, text);
    assert.deepEqual(
      message.files.map(({ kind, id, name, bytes }) => `${kind} ${id} ${name} ${bytes ?? '?'}`),
      files,
    );
  }
  const two = must(inDm({ subtype: 'file_share', text: 'both', files: [table[0]?.[0], table[2]?.[0]] }));
  assert.deepEqual([two.text, two.files.length], ['both', 2]);
});
