import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { render } from '../../channels/telegram/outbound/render.ts';
import { splitDocument } from '../../channels/telegram/outbound/split.ts';
import { renderHtml } from '../../channels/web/outbound/render.ts';
import { parse } from './parse.ts';
import { bombs, rubble } from './testing/bombs.ts';
import { mend } from './unfinished.ts';

/** Everything that is done to an answer, as a draft and finished, on both platforms; returns what Telegram shows. */
function show(markdown: string): string {
  render(parse(mend(markdown)));
  renderHtml(mend(markdown));
  renderHtml(markdown);
  return splitDocument({ markdown })
    .map((part) => render(parse(part.markdown)).text)
    .join('\n');
}

/** Milliseconds of CPU, which the other processes of a busy machine hardly change. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** What people get as a rule, as long as a bomb; `salt` keeps it from being remembered. */
function ordinary(length: number, salt: string): string {
  const piece = (n: number): string =>
    `## Part ${n} of ${salt}\n\nThis is **what** \`${salt}\` says, see [there](https://example.com/${n}).\n\n- one ${n}\n- two\n\n`;
  let text = '';
  for (let n = 0; text.length < length; n++) text += piece(n);
  return text.slice(0, length);
}

const LENGTH = 20_000;
const STREAM_LENGTH = 1_000;
const STEPS = 50;
const RATIO = 30;
/** An ordinary answer that grows is read again only from its last blank line on, a bomb without one as a whole. */
const STREAM_RATIO = 100;

/** Shows a text as it grows, as drafts do. */
function stream(markdown: string): void {
  for (let step = 1; step <= STEPS; step++) show(markdown.slice(0, Math.ceil((markdown.length * step) / STEPS)));
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const seen = (text: string): number => text.split('ж').length - 1;

test('no bomb takes much longer than an ordinary answer of its length, and all of its text is shown', () => {
  show(ordinary(LENGTH, 'warm-up'));
  const usual = middle(['a', 'b', 'c'].map((salt) => cpuOf(() => show(ordinary(LENGTH, salt)))));
  for (const [name, bomb] of Object.entries(bombs)) {
    const markdown = bomb(LENGTH);
    let shown = '';
    const took = cpuOf(() => {
      shown = show(markdown);
    });
    assert.ok(took <= RATIO * usual, `${name}: ${took} ms of CPU, an ordinary answer ${usual}`);
    const definitions = seen(markdown.match(/^\[ж\]:/gm)?.join('') ?? '');
    assert.ok(seen(shown) >= seen(markdown) - definitions, `${name}: ${seen(shown)} of ${seen(markdown)}`);
  }
});

test('no bomb takes much longer than an ordinary answer while it grows', () => {
  stream(ordinary(STREAM_LENGTH, 'warm-up'));
  const usual = middle(['a', 'b', 'c'].map((salt) => cpuOf(() => stream(ordinary(STREAM_LENGTH, salt)))));
  for (const [name, bomb] of Object.entries(bombs)) {
    const took = cpuOf(() => stream(bomb(STREAM_LENGTH)));
    assert.ok(took <= STREAM_RATIO * usual, `${name}: ${took} ms of CPU, an ordinary answer ${usual}`);
  }
});

test('no rubble is too broken to be shown', () => {
  fc.assert(
    fc.property(rubble, (markdown) => {
      const before = cpuOf(() => show(markdown));
      assert.ok(before < 3_000, `${before} ms of CPU`);
    }),
    { numRuns: 150 },
  );
});

test('what stands around a bomb stays formatted', () => {
  for (const [name, bomb] of Object.entries(bombs)) {
    const markdown = `Before **it**.\n\n${bomb(LENGTH).trimEnd()}\n\nBehind **it**.`;
    const { children } = parse(markdown);
    assert.equal(JSON.stringify(children[0]), JSON.stringify(parse('Before **it**.').children[0]), name);
    assert.equal(JSON.stringify(children.at(-1)), JSON.stringify(parse('Behind **it**.').children[0]), name);
  }
});
