import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CARD_MAX_BYTES } from '../../../channels/feishu/limits.ts';
import { contentOf } from '../../../channels/feishu/outbound/content.ts';
import { splitDocument as splitForFeishu } from '../../../channels/feishu/outbound/split.ts';
import { MARKDOWN_MAX_CHARS } from '../../../channels/slack/limits.ts';
import { slackMarkdown } from '../../../channels/slack/outbound/markdown.ts';
import { splitDocument as splitForSlack } from '../../../channels/slack/outbound/split.ts';
import { ENTITIES_MAX, TEXT_MAX_UTF16 } from '../../../channels/telegram/limits.ts';
import { render as renderForTelegram } from '../../../channels/telegram/outbound/render.ts';
import { splitDocument as splitForTelegram } from '../../../channels/telegram/outbound/split.ts';
import { ILINK_TEXT_MAX_BYTES, WECHATY_TEXT_MAX_CHARS } from '../../../channels/wechat/limits.ts';
import { splitByBytes, splitByChars } from '../../../channels/wechat/outbound/split.ts';
import { textOf as wechatTextOf } from '../../../channels/wechat/outbound/text.ts';
import { APP_TEXT_MAX_BYTES, BOT_TEXT_MAX_BYTES } from '../../../channels/wecom/limits.ts';
import { splitForApp, splitForBot } from '../../../channels/wecom/outbound/split.ts';
import { textOf as wecomTextOf } from '../../../channels/wecom/outbound/text.ts';
import type { Document } from '../../channel/port.ts';
import { type Block, type Inline, type ListItem, parse, type TableCell, type TableRow } from '../../format/index.ts';
import { answers, lines, soup, traps } from '../../format/testing/markdown.ts';

/** A message as a platform gets it. */
interface Shown {
  readonly text: string;
  /** Where a click may lead. */
  readonly links: readonly string[];
  /** Of what the platform takes at most. */
  readonly share: number;
}

type Node = Block | Inline | ListItem | TableRow | TableCell;

const bytes = (text: string): number => Buffer.byteLength(text);

const linksIn = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((node) => [
    ...('url' in node ? [node.url] : []),
    ...('children' in node ? linksIn(node.children) : []),
  ]);

const FENCED = /^(`{3,})[^`\n]*\n[\s\S]*?^\1`*$/gm;
const CODE = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g;

/** What platforms that know no escapes take for links. */
const literalLinks = (text: string): string[] =>
  [
    ...text
      .replace(FENCED, '')
      .replace(CODE, '')
      .matchAll(/\]\(\s*([^)\s]*)/g),
  ].map(([, url = '']) => url);

function shownByFeishu(document: Document): Shown {
  const { msg_type: type, content } = contentOf(document, { chat: 'oc_1', chatKind: 'group' }, {});
  const share = bytes(JSON.stringify(content)) / (CARD_MAX_BYTES + 2_048);
  const made = JSON.parse(content);
  if (type === 'text') return { text: made.text, links: [], share };
  if (type === 'post') {
    const elements: { text?: string; href?: string }[] = made.zh_cn.content.flat();
    const links = elements.flatMap(({ href }) => (href === undefined ? [] : [href]));
    return { text: elements.map(({ text = '' }) => text).join(''), links, share };
  }
  const { children } = parse(made.body.elements[0].content);
  return { text: wordsOf(children), links: linksIn(children), share };
}

const platforms: Readonly<Record<string, (document: Document) => Shown[]>> = {
  Slack: (document) =>
    splitForSlack(document).map(({ markdown }) => {
      const block = slackMarkdown(markdown);
      const text = block.replace(/&#x([\dA-F]+);/g, (_, code: string) =>
        String.fromCodePoint(Number.parseInt(code, 16)),
      );
      return { text, links: linksIn(parse(block).children), share: block.length / MARKDOWN_MAX_CHARS };
    }),
  Telegram: (document) =>
    splitForTelegram(document).map(({ markdown }) => {
      const { text, entities } = renderForTelegram(parse(markdown));
      const links = entities.flatMap((entity) => ('url' in entity ? [entity.url] : []));
      return { text, links, share: Math.max(text.length / TEXT_MAX_UTF16, entities.length / ENTITIES_MAX) };
    }),
  Feishu: (document) => splitForFeishu(document).map(shownByFeishu),
  'WeCom’s AI bots': (document) =>
    splitForBot(document).map((part) => {
      const text = wecomTextOf(part, 'bot');
      return { text, links: literalLinks(text), share: bytes(text) / BOT_TEXT_MAX_BYTES };
    }),
  'WeCom’s apps': (document) =>
    splitForApp(document).map((part) => {
      const text = wecomTextOf(part, 'app');
      return { text, links: literalLinks(text), share: bytes(text) / APP_TEXT_MAX_BYTES };
    }),
  iLink: (document) =>
    splitByBytes(document).map((part) => {
      const text = wechatTextOf(part, 'ilink');
      return { text, links: literalLinks(text), share: bytes(text) / ILINK_TEXT_MAX_BYTES };
    }),
  wechaty: (document) =>
    splitByChars(document).map((part) => {
      const text = wechatTextOf(part, 'plain');
      return { text, links: [], share: text.length / WECHATY_TEXT_MAX_CHARS };
    }),
};

/** Of one kind, or long enough to be cut. */
const written = fc.oneof(
  answers,
  lines,
  soup,
  traps,
  fc
    .tuple(fc.oneof(answers, lines, traps), fc.integer({ min: 1, max: 12 }))
    .map(([markdown, times]) => Array(times).fill(markdown).join('\n\n')),
);

const FOREIGN = /^\s*(?!https?:|mailto:|mention:|tg:)[a-z][\w+.-]*:/i;

for (const [platform, show] of Object.entries(platforms))
  test(`${platform}: whatever is written fits, with its words, and leads nowhere but to the web, mail and people`, () => {
    fc.assert(
      fc.property(written, (markdown) => {
        const messages = show({ markdown });
        for (const { share } of messages) assert.ok(share <= 1, `${share} of what it takes`);
        const foreign = messages.flatMap(({ links }) => links.filter((url) => FOREIGN.test(url)));
        assert.deepEqual(foreign, []);
        const { children } = parse(markdown.toWellFormed());
        if (/\[[^\]\n]+\]:/.test(markdown) || hasTable(children)) return; // these may be told in another order
        assertSaid(wordsOf(children), messages.map(({ text }) => text).join('\n'));
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });

const hasTable = (nodes: readonly Node[]): boolean =>
  nodes.some((node) => node.type === 'table' || ('children' in node && hasTable(node.children)));

const wordsOf = (nodes: readonly Node[]): string =>
  nodes
    .map((node) => {
      if ('value' in node) return node.value;
      if (node.type === 'image') return node.alt;
      return 'children' in node ? wordsOf(node.children) : '';
    })
    .join(' ');

/** Every letter is there, in its order; between them may stand marks, addresses and numbers. */
function assertSaid(expected: string, shown: string): void {
  const letters = [...expected.replace(/[^\p{L}\p{N}]/gu, '')];
  let said = 0;
  for (const letter of shown) if (letter === letters[said]) said += 1;
  assert.equal(letters.slice(said).join(''), '', 'the rest is missing');
}
