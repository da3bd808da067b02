import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { webhookUrl } from '../../channel/webhook-url.ts';
import { startModel, text, tools } from '../../simulator/model/index.ts';
import { playFeishu } from '../../simulator/play/feishu.ts';
import { playIlink } from '../../simulator/play/ilink.ts';
import type { PlayChat, Player, Playground, PlayMessage, Said } from '../../simulator/play/port.ts';
import { playSlack } from '../../simulator/play/slack.ts';
import { playTelegram } from '../../simulator/play/telegram.ts';
import { playWecom } from '../../simulator/play/wecom.ts';
import { configFor, environmentFor, startHere } from './antler.ts';

const PATIENCE_MS = 20_000;

const report = tools(['send_file', { name: 'prices.csv', content: 'a,b' }]);
const which = tools(['ask_clarification', { question: 'Which shop?', options: ['North', 'South'] }]);

/** One platform with its people, a model that knows the story, and an Antler between them. */
async function setStage(t: TestContext, start: () => Promise<Playground>) {
  const [play, model] = await Promise.all([start(), startModel()]);
  const folder = mkdtempSync(join(tmpdir(), 'antler-e2e-'));
  t.after(async () => {
    await Promise.all([play.stop(), model.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });
  model.handle(({ messages }) => {
    const all = JSON.stringify(messages);
    if (/Dig deep/.test(all)) return { parts: [{ kind: 'hang' }] };
    if (!/Compare the prices/.test(all)) return text('Hello!');
    if (!/Which shop/.test(all)) return which;
    return /prices\.csv/.test(all) ? text('North is cheaper.') : report;
  });
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify({ channels: { [play.type]: play.settings } }));
  const { url } = await startHere(t, configFor(environmentFor(model, folder), folder));
  await play.connect?.(webhookUrl(url ?? '', play.type));
  const where = (who: Player): PlayChat => play.group ?? (who === play.ann ? play.annAlone : play.boAlone);

  /** What the bot shows to somebody that reads like this. */
  function seen(who: Player, expected: RegExp, fits = (_: PlayMessage): boolean => true): Promise<PlayMessage> {
    const look = (): PlayMessage | undefined =>
      play.shown(where(who)).find((one) => one.by.isBot && expected.test(one.text) && fits(one));
    const { promise, resolve, reject } = Promise.withResolvers<PlayMessage>();
    const stop = play.subscribe(() => {
      const found = look();
      if (found !== undefined) resolve(found);
    });
    const timer = setTimeout(() => {
      const all = play.shown(where(who)).map((one) => `${one.by.name}: ${one.text}`);
      reject(new Error(`${expected} was not seen:\n${all.join('\n')}`));
    }, PATIENCE_MS);
    const now = look();
    if (now !== undefined) resolve(now);
    return promise.finally(() => {
      stop();
      clearTimeout(timer);
    });
  }

  const say = (who: Player, words: string, more: Partial<Said> = {}): Promise<string> =>
    play.say(who, where(who), { text: words, toBot: true, ...more });
  return { play, model, say, seen, where };
}

const platforms: readonly (readonly [string, () => Promise<Playground>])[] = [
  ['Telegram', () => playTelegram({ flood: true })],
  ['Slack', () => playSlack({ rates: true })],
  ['Feishu', () => playFeishu({ flood: true })],
  ['WeCom', () => playWecom({ flood: true })],
  ['WeChat', () => playIlink()],
];

for (const [name, start] of platforms) {
  test(`${name}: a task from the request over a question to the result with its file; another is cancelled, by nobody else`, async (t) => {
    const { play, say, seen, where } = await setStage(t, start);
    const { ann, bo } = play;
    await say(ann, 'hi there');
    const hello = await seen(ann, /Hello!/);
    await say(ann, '/task Compare the prices');
    await seen(ann, /Compare the prices[\s\S]*by lead/);
    const question = await seen(ann, /Which shop\?/);
    await say(bo, 'hi there');
    await seen(bo, /Hello!/, ({ id }) => id !== hello.id);
    await say(ann, '1', play.quotes === false ? {} : { quoting: question.id });
    await seen(ann, /North is cheaper\./);
    await seen(ann, /[\s\S]*/, ({ files, text: said }) => files.length > 0 || said.includes('the file prices.csv'));

    await say(ann, '/task Dig deep');
    const card = await seen(ann, /Dig deep/);
    await say(ann, '/tasks');
    const listed = await seen(ann, /[0-9a-z]{5}\W+Dig deep/);
    const id = /([0-9a-z]{5})\W+Dig deep/.exec(listed.text)?.[1] ?? '';
    /** By the button as long as it is there: some platforms take it away with the first press, whoever presses. */
    const cancel = (who: Player): Promise<unknown> => {
      const now = play.shown(where(ann)).find((one) => one.id === card.id);
      const canPress = where(who) === where(ann) && now?.buttons.includes('Cancel') === true;
      return (
        (canPress ? play.press?.(who, where(ann), card.id, 'Cancel') : undefined) ?? say(who, `/tasks cancel ${id}`)
      );
    };
    await cancel(bo);
    await seen(bo, play.group === undefined ? /没有这个任务|no such task/ : /只有任务的委托人|Only who asked/);
    await cancel(ann);
    await seen(ann, /Dig deep[\s\S]*cancelled/);
    await say(ann, '/tasks');
    await seen(ann, /no open tasks/);
    const cards = play
      .shown(where(ann))
      .filter(({ by, text: shown }) => by.isBot && /^\W*(?:Dig deep|Compare the prices)\s/.test(shown));
    t.diagnostic(
      `cards: ${cards.map(({ text: shown, edits }) => `${shown.split('\n')[0]} (${edits} edits)`).join(', ')}`,
    );
    assert.ok(cards.length >= 2);
  });
}
