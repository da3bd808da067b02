import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readMediaId } from '../media-id.ts';
import { allAt, readXml, textAt } from '../xml.ts';
import { normalize } from './index.ts';

const context = { channel: 'wecom', corpId: 'wx1', now: 42 };
const wrap = (inner: string, id = '<MsgId>4561255354251345929</MsgId>') =>
  `<xml><ToUserName><![CDATA[wx1]]></ToUserName><FromUserName><![CDATA[zhangsan]]></FromUserName><CreateTime>1700000000</CreateTime>${inner}${id}<AgentID>1000002</AgentID></xml>`;
const read = (inner: string, id?: string) => normalize(readXml(wrap(inner, id)), context);
const text = (content: string) => read(`<MsgType><![CDATA[text]]></MsgType><Content>${content}</Content>`);

test('a text, with an id of 64 bits', () => {
  assert.deepEqual(text('<![CDATA[hello]]>'), {
    channel: 'wecom',
    channelType: 'wecom',
    tenant: 'wx1',
    chat: { id: 'zhangsan', kind: 'dm' },
    id: '4561255354251345929',
    kind: 'message',
    sender: { id: 'zhangsan', name: '', isBot: false },
    sentAt: 1_700_000_000_000,
    text: 'hello',
    addressed: 'dm',
    mentions: [],
    files: [],
  });
});

test('text is exact, in CDATA, beside it, and where its end is split over two', () => {
  const cases: [string, string][] = [
    ['<![CDATA[a]]]]><![CDATA[>b]]>', 'a]]>b'],
    ['a &lt;b&gt; &amp;amp; &quot;&apos;', 'a <b> &amp; "\''],
    ['<![CDATA[a &lt; b]]>', 'a &lt; b'],
    ['&#x8c22;&#35874; &#0;&unknown;', '谢谢 �&unknown;'],
    ['  x <![CDATA[ y ]]> z  ', '  x  y  z  '],
    ['<![CDATA[/::) 👨‍👩‍👧‍👦\n第二行]]>', '/::) 👨‍👩‍👧‍👦\n第二行'],
    ['007', '007'],
    [`<![CDATA[${'谢👍'.repeat(400)}]]>`, '谢👍'.repeat(400)],
    ['1e3', '1e3'],
    ['true', 'true'],
    ['<![CDATA[<!DOCTYPE html>]]>', '<!DOCTYPE html>'],
  ];
  for (const [xml, expected] of cases) assert.equal(text(xml)?.text, expected);
});

test('a text without words reads as a placeholder', () => {
  for (const xml of ['', '<![CDATA[]]>', '<![CDATA[   ]]>']) assert.equal(text(xml)?.text, '[empty message]');
});

test('pictures, voices, videos and files come with their ids', () => {
  const cases: [string, string, string, string][] = [
    [
      '<MsgType>image</MsgType><PicUrl>http://x/y</PicUrl><MediaId>m1</MediaId>',
      'image',
      '[image]',
      'image-51345929.jpg',
    ],
    ['<MsgType>voice</MsgType><MediaId>m1</MediaId><Format>amr</Format>', 'voice', '[voice]', 'voice-51345929.amr'],
    [
      '<MsgType>voice</MsgType><MediaId>m1</MediaId><Recognition>turn left</Recognition>',
      'voice',
      'turn left',
      'voice-51345929.amr',
    ],
    [
      '<MsgType>video</MsgType><MediaId>m1</MediaId><ThumbMediaId>t</ThumbMediaId>',
      'video',
      '[video]',
      'video-51345929.mp4',
    ],
    ['<MsgType>shortvideo</MsgType><MediaId>m1</MediaId>', 'video', '[video]', 'video-51345929.mp4'],
    ['<MsgType>file</MsgType><MediaId>m1</MediaId><FileName>../周报.pdf</FileName>', 'file', '[file]', '周报.pdf'],
  ];
  for (const [xml, kind, words, name] of cases) {
    const message = read(xml);
    const [file] = message?.files ?? [];
    assert.deepEqual([message?.text, file?.kind, file?.name, readMediaId(file?.id ?? '')], [words, kind, name, 'm1']);
  }
  assert.deepEqual(read('<MsgType>image</MsgType>')?.files, []);
});

test('a place and a link are read', () => {
  const place =
    '<MsgType>location</MsgType><Location_X>23.1</Location_X><Location_Y>113.3</Location_Y><Label>Canton Tower</Label>';
  assert.equal(read(place)?.text, '[location Canton Tower 23.1, 113.3]');
  const link =
    '<MsgType>link</MsgType><Title>T</Title><Description>D</Description><Url>https://example.com/a?b=1&amp;c=2</Url>';
  assert.equal(read(link)?.text, 'T\nD\nhttps://example.com/a?b=1&c=2');
});

test('a kind that nobody knows yet reads as its name', () => {
  assert.equal(read('<MsgType>brand_new</MsgType>')?.text, '[brand new]');
});

const event = (inner: string) => read(`<MsgType>event</MsgType>${inner}`, '');

test('an event without an id is told from others by who, when and what', () => {
  const one = event('<Event>click</Event><EventKey>help</EventKey>');
  const again = event('<Event>click</Event><EventKey>help</EventKey>');
  const other = event('<Event>click</Event><EventKey>new</EventKey>');
  assert.equal(one?.id, again?.id);
  assert.notEqual(one?.id, other?.id);
});

test('who comes says hello; an entry of the menu is a command', () => {
  assert.equal(event('<Event>subscribe</Event>')?.text, '/start');
  assert.equal(event('<Event>enter_agent</Event>')?.text, '/start');
  assert.equal(event('<Event>click</Event><EventKey>help</EventKey>')?.text, '/help');
  assert.equal(event('<Event>click</Event><EventKey>/new</EventKey>')?.text, '/new');
  assert.equal(event('<Event>click</Event><EventKey></EventKey>'), null);
});

test('what was scanned and which place was chosen is said', () => {
  const scan = '<ScanCodeInfo><ScanType>qrcode</ScanType><ScanResult>ABC</ScanResult></ScanCodeInfo>';
  for (const name of ['scancode_waitmsg', 'scancode_push'])
    assert.equal(event(`<Event>${name}</Event>${scan}`)?.text, 'ABC');
  const place =
    '<SendLocationInfo><Location_X>1</Location_X><Location_Y>2</Location_Y><Label>Here</Label></SendLocationInfo>';
  assert.equal(event(`<Event>location_select</Event>${place}`)?.text, '[location Here 1 2]');
});

test('the reported position of a phone and a sent place bear one name and are two things', () => {
  assert.equal(event('<Event>LOCATION</Event><Latitude>1</Latitude><Longitude>2</Longitude>'), null);
});

test('a pressed button, and what was chosen, of one or of many', () => {
  const press = event(
    '<Event>template_card_event</Event><EventKey>approve</EventKey><TaskId>t1</TaskId><ResponseCode>r</ResponseCode>',
  );
  assert.deepEqual(
    [press?.kind, press?.text, press?.quote?.messageId, press?.addressed],
    ['action', 'approve', 't1', 'dm'],
  );
  const item = (...ids: string[]) =>
    `<SelectedItem><QuestionKey>q</QuestionKey><OptionIds>${ids.map((id) => `<OptionId>${id}</OptionId>`).join('')}</OptionIds></SelectedItem>`;
  const chosen = (items: string) =>
    event(`<Event>template_card_event</Event><EventKey>k</EventKey><SelectedItems>${items}</SelectedItems>`)?.text;
  assert.equal(chosen(item('one')), 'one');
  assert.equal(chosen(item('one', 'two') + item('three')), 'one, two, three');
  assert.equal(event('<Event>template_card_menu_event</Event><EventKey>menu</EventKey>')?.text, 'menu');
});

test('what is nobody’s word to the bot is left alone', () => {
  const names = ['unsubscribe', 'view', 'change_contact', 'batch_job_result', 'sys_approval_change'];
  for (const name of [...names, 'kf_msg_or_event', 'brand_new']) assert.equal(event(`<Event>${name}</Event>`), null);
  assert.equal(normalize(readXml('<xml><MsgType>text</MsgType></xml>'), context), null);
});

test('XML of every kind is read or refused, and nothing else is thrown', () => {
  const names = fc.constantFrom('xml', 'MsgType', 'FromUserName', 'Content', 'MsgId', 'Event', 'SelectedItems');
  const piece: fc.Arbitrary<string> = fc.oneof(
    fc.string(),
    names.map((name) => `<${name}>`),
    names.map((name) => `</${name}>`),
    fc.constantFrom(
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<?xml',
      '?>',
      '&lt;',
      '<MsgType>text</MsgType>',
      '<FromUserName>a</FromUserName>',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      try {
        const message = normalize(readXml(`<xml>${pieces.join('')}</xml>`), context);
        if (message !== null) assert.deepEqual(JSON.parse(JSON.stringify(message)), message);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'bad_input', String(error));
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a document as deep as a well is read as far as any message goes', () => {
  const deep = `<xml>${'<a>'.repeat(50)}x${'</a>'.repeat(50)}</xml>`;
  assert.equal(textAt(readXml(deep), 'a', 'a', 'b'), undefined);
  assert.equal(allAt(readXml('<xml><a><b>1</b><b>2</b></a><a><b>3</b></a></xml>'), 'a', 'b').length, 3);
});
