import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, inChannel, inDm, richText, TS } from '../fixtures/events.ts';
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
    ['<!subteam^S1|@ops> <!subteam^S1> <!subteam^S7>', '@ops @ops @S7'],
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

test('several shared messages are one quotation, each with its author and files', () => {
  const share = { is_share: true, ts: '1764400000.000100', author_id: 'U2', text: 'one' };
  const other = {
    is_msg_unfurl: true,
    author_name: 'eve',
    text: '',
    files: [{ id: 'F2', name: 'b.png', mimetype: 'image/png' }],
  };
  const message = must(inDm({ text: 'compare', attachments: [share, other] }));
  assert.deepEqual(
    [message.quote?.author, message.quote?.text, message.quote?.files.map(({ id }) => id)],
    ['Bob', 'one\n\neve: [image b.png]', ['F2']],
  );
});

test('what a link shows is quoted with the words of a person, and of an app it is part of the words', () => {
  const preview = { from_url: 'https://h', service_name: 'Tracker', title: 'Bug 7', text: 'It &lt;crashes&gt;' };
  const message = must(inDm({ text: 'look at <https://h>', attachments: [preview] }));
  assert.deepEqual(
    [message.text, message.quote],
    ['look at https://h', { author: 'Tracker', fromBot: false, text: 'Bug 7\nIt <crashes>', files: [] }],
  );
  const alert = {
    bot_id: 'B9',
    text: 'Alert!',
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Disk is full' } }],
    attachments: [{ fallback: 'no', fields: [{ title: 'Host', value: 'db-1', short: true }, { value: 'since noon' }] }],
  };
  const heard = must(inChannel(alert));
  assert.deepEqual(
    [heard.text, heard.quote, heard.sender.isBot],
    ['Disk is full\nHost: db-1\nsince noon', undefined, true],
  );
});

test('a clip says what is said in it, once Slack has written it down', () => {
  const clip = { id: 'F1', name: 'clip.m4a', mimetype: 'audio/mp4', subtype: 'slack_audio' };
  const done = { ...clip, transcription: { status: 'complete', preview: { content: 'call me back', has_more: true } } };
  const pending = { ...clip, transcription: { status: 'processing' } };
  assert.equal(must(inDm({ subtype: 'file_share', text: '', files: [pending] })).text, '[voice clip.m4a]');
  assert.equal(must(inDm({ subtype: 'file_share', text: '', files: [done] })).text, '[voice clip.m4a] call me back …');
  assert.equal(
    must(inDm({ subtype: 'file_share', text: 'listen', files: [done] })).text,
    'listen\n[voice clip.m4a] call me back …',
  );
  const late = must(changed({ text: '', files: [pending] }, { text: '', files: [done], subtype: 'file_share' }));
  assert.deepEqual(
    [late.kind, late.id, late.text, late.files.length],
    ['edit', TS, '[voice clip.m4a] call me back …', 1],
  );
});

test('a file that lies elsewhere is a link, and one that is gone is told of beside words too', () => {
  const external = {
    id: 'F1',
    name: 'Plan',
    mode: 'external',
    is_external: true,
    url_private: 'https://docs.example/1',
  };
  const message = must(
    inDm({ subtype: 'file_share', text: 'read this', files: [external, { id: 'F2', mode: 'tombstone' }] }),
  );
  assert.deepEqual(
    [message.text, message.files],
    ['read this\n[file Plan: https://docs.example/1]\n[file no longer available]', []],
  );
  const cat = { id: 'F3', name: 'cat.png', mimetype: 'image/png' };
  const removed = must(
    changed({ text: 'my cat', files: [cat] }, { text: 'my cat', files: [{ id: 'F3', mode: 'tombstone' }] }),
  );
  assert.deepEqual([removed.kind, removed.text], ['edit', 'my cat\n[file no longer available]']);
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
    [
      { id: 'F10', name: 'Untitled', filetype: 'python', mode: 'snippet', mimetype: 'text/plain' },
      '[file Untitled]',
      ['file F10 Untitled ?'],
    ],
    [{ id: 'F11', title: 'Re: offer', filetype: 'email', mode: 'email' }, '[file Re: offer]', ['file F11 Re_ offer ?']],
    [{ id: 'F12', title: 'Tasks', filetype: 'list', mode: 'list' }, '[file Tasks]', ['file F12 Tasks ?']],
    [{ id: 'F6', file_access: 'check_file_info' }, '[file F6]', ['file F6 F6 ?']],
    [{ id: 'F7', mode: 'tombstone' }, '[file no longer available]', []],
    [{ id: 'F8', mode: 'hidden_by_limit', name: 'x' }, '[file no longer available]', []],
    [
      { id: 'F9', name: '../\u202eevil\n.png', mimetype: 'image/png' },
      '[image ../ evil .png]',
      ['image F9 evil .png ?'],
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
