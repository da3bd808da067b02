import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startAntler } from '../../app/antler.ts';
import type { Logger } from '../../base/logger.ts';
import { refuse, startModel, text, tools } from '../../simulator/model/index.ts';
import type { ChatRequest } from '../../simulator/model/wire.ts';
import { shownText, startSlack } from '../../simulator/slack/index.ts';
import { startTelegram } from '../../simulator/telegram/index.ts';
import { configFor, environmentFor } from './antler.ts';

/**
 * Two people who don't trust each other, on two platforms, each alone with the bot and both in a group. Whatever somebody
 * leaves somewhere bears a word that stands nowhere else, so that wherever it turns up tells whose it was.
 */
const KEY = 'sk-test-0123456789';
const NAMES = ['telegram-ann', 'telegram-bo', 'telegram-team', 'slack-ann', 'slack-bo', 'slack-team'] as const;
type PlaceName = (typeof NAMES)[number];

interface Place {
  readonly name: PlaceName;
  readonly people: readonly ('ann' | 'bo')[];
  say(who: 'ann' | 'bo', words: string): void;
  /** All that is seen there, joined. */
  shown(): string;
}

const isLearning = (request: ChatRequest): boolean => JSON.stringify(request.messages[0]).includes('long-term memory');

/** Keeps what is logged, as text. */
function listening(lines: string[]): Logger {
  const note = (level: string) => (fields: object, message: string) => {
    lines.push(
      `${level} ${message} ${JSON.stringify(fields, (_, value) => (value instanceof Error ? String(value.stack) : value))}`,
    );
  };
  return {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
    child: () => listening(lines),
  };
}

async function setTown(t: TestContext) {
  const [telegram, slack, model] = await Promise.all([startTelegram(), startSlack(), startModel()]);
  const folder = mkdtempSync(join(tmpdir(), 'antler-leaks-'));
  const bot = telegram.addBot({ username: 'antler_bot', name: 'Antler', privacy: false });
  const onTelegram = {
    ann: telegram.addUser({ firstName: 'Ann', username: 'ann', language: 'en' }),
    bo: telegram.addUser({ firstName: 'Bo', username: 'bo', language: 'en' }),
  };
  const app = slack.addApp({ name: 'antler', commands: ['/antler'] });
  const onSlack = {
    ann: slack.addUser({ name: 'ann', displayName: 'Ann' }),
    bo: slack.addUser({ name: 'bo', displayName: 'Bo' }),
  };
  const env = {
    ...{ TELEGRAM_BOT_TOKEN: bot.token, TELEGRAM_API_ROOT: telegram.url },
    ...{ SLACK_BOT_TOKEN: app.botToken, SLACK_APP_TOKEN: app.appToken, SLACK_SIGNING_SECRET: app.signingSecret },
    ...{ SLACK_TRANSPORT: 'socket', SLACK_API_ROOT: slack.url },
    ...environmentFor(model, folder),
  };
  const config = configFor(env, folder);
  const logged: string[] = [];
  const antler = await startAntler({
    config: { ...config, memory: { ...config.memory, debounce_seconds: 1, notice: false } },
    roles: { gateway: true, worker: true },
    log: listening(logged),
    secretKey: undefined,
  });
  t.after(async () => {
    await antler.stop(1_000);
    await Promise.all([telegram.stop(), slack.stop(), model.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const team = telegram.addGroup({ title: 'Team', members: [onTelegram.ann, onTelegram.bo, bot] });
  const channel = slack.addChannel({ name: 'team', members: [onSlack.ann, onSlack.bo, app.user] });
  const dms = { ann: telegram.openPrivateChat(onTelegram.ann, bot), bo: telegram.openPrivateChat(onTelegram.bo, bot) };
  const direct = { ann: slack.openDm(onSlack.ann, app), bo: slack.openDm(onSlack.bo, app) };
  const telegramPlace = (name: PlaceName, chat: typeof team | typeof dms.ann, people: Place['people']): Place => ({
    ...{ name, people },
    say: (who, words) =>
      void telegram.people.say(onTelegram[who], chat, people.length > 1 ? `@antler_bot ${words}` : words),
    shown: () =>
      telegram
        .visible(chat)
        .map(({ content }) => content.text)
        .join('\n'),
  });
  const slackPlace = (name: PlaceName, where: typeof channel | typeof direct.ann, people: Place['people']): Place => ({
    ...{ name, people },
    say: (who, words) => void slack.people.say(onSlack[who], where, people.length > 1 ? `@antler ${words}` : words),
    shown: () => slack.visible(where).map(shownText).join('\n'),
  });
  const places: readonly Place[] = [
    telegramPlace('telegram-ann', dms.ann, ['ann']),
    telegramPlace('telegram-bo', dms.bo, ['bo']),
    telegramPlace('telegram-team', team, ['ann', 'bo']),
    slackPlace('slack-ann', direct.ann, ['ann']),
    slackPlace('slack-bo', direct.bo, ['bo']),
    slackPlace('slack-team', channel, ['ann', 'bo']),
  ];
  return { places, model, logged, antler };
}

/** The words that were left in a place, of every kind. */
const LEFT = /\b(?:said|file|broken)-(?:telegram|slack)-(?:ann|bo|team)-(?:ann|bo)\b/g;
const wordsIn = (text: string): Set<string> => new Set(text.match(LEFT) ?? []);

test('what somebody says, keeps or breaks is found where it belongs, and nowhere else', async (t) => {
  const { places, model, logged, antler } = await setTown(t);
  /** What the model was asked when it answered a message with this mark in it. */
  const requestsAt = (mark: string): readonly string[] =>
    model.requests.map(({ body }) => JSON.stringify(body)).filter((body) => body.includes(mark));
  let marks = 0;

  model.handle((request) => {
    const all = JSON.stringify(request.messages);
    if (isLearning(request)) {
      const [word] = wordsIn(all);
      const fact = {
        content: `Their word is ${word}`,
        category: 'knowledge',
        nature: 'fact',
        durable: true,
        confidence: 0.95,
      };
      return text(JSON.stringify({ facts: word === undefined ? [] : [{ ...fact, about: 'speaker', source: 'm1' }] }));
    }
    const last = request.messages.at(-1);
    const mark = [...all.matchAll(/mark-\d+-(\w+)/g)].at(-1);
    if (last?.role === 'tool') return text(`done ${mark?.[0]}`);
    switch (mark?.[1]) {
      case 'write':
        return tools([
          'write_file',
          { path: 'note.txt', content: [...all.matchAll(/file-[\w-]+/g)].at(-1)?.[0] ?? '' },
        ]);
      case 'look':
        return tools(['read_file', { file: 'note.txt' }]);
      case 'break':
        return refuse(400, `${[...all.matchAll(/broken-[\w-]+/g)].at(-1)?.[0]} is not a model; your key is ${KEY}`);
      default:
        return text(`heard ${mark?.[0]}`);
    }
  });

  /** Says something and waits until it has been answered. */
  async function ask(place: Place, who: 'ann' | 'bo', what: string, words: string): Promise<string> {
    marks += 1;
    const mark = `mark-${marks}-${what}`;
    const before = place.shown().length;
    place.say(who, `${words} ${mark}`);
    await t.waitFor(
      () => {
        const answer = place.shown().slice(before).replace(`${words} ${mark}`, '');
        assert.match(answer, what === 'break' ? /model|wrong|service/i : new RegExp(`(?:heard|done) ${mark}`));
      },
      { timeout: 20_000, interval: 50 },
    );
    return mark;
  }

  for (const place of places)
    for (const who of place.people) {
      await ask(place, who, 'say', `remember said-${place.name}-${who}`);
      await ask(place, who, 'write', `keep file-${place.name}-${who}`);
      await ask(place, who, 'break', `break broken-${place.name}-${who}`);
    }
  // Until all that was said alone has been learnt.
  await t.waitFor(
    () =>
      assert.ok(
        model.requests.filter(({ body }) => JSON.stringify(body.messages).includes('long-term memory')).length >= 6,
      ),
    { timeout: 30_000, interval: 100 },
  );
  await new Promise((resolve) => setTimeout(resolve, 500));

  for (const place of places) {
    const [platform = ''] = place.name.split('-');
    for (const who of place.people) {
      // A fresh conversation, so that what turns up is remembered or kept, not said just before.
      if (place.people.length === 1) place.say(who, '/new');
      const mark = await ask(place, who, 'look', 'what do you know of us?');
      const found = wordsIn(requestsAt(mark).join('\n') + place.shown());
      for (const word of found) {
        const [, on = '', where = '', by = ''] = word.split('-');
        const isHere = place.name === `${on}-${where}`;
        const isOwnInPublic = on === platform && where === 'team' && by === who;
        assert.ok(isHere || isOwnInPublic, `${word} turned up for ${who} in ${place.name}`);
      }
      if (place.people.length === 1) {
        assert.ok(found.has(`said-${place.name}-${who}`), `${who} is remembered in ${place.name}`);
        assert.ok(
          requestsAt(mark).some((body) => body.includes(`file-${place.name}-${who}`)),
          `${place.name} has its file`,
        );
      }
    }
  }

  const shown = places.map((place) => place.shown()).join('\n');
  const requests = model.requests.map(({ body }) => JSON.stringify(body)).join('\n');
  const api = await Promise.all(
    ['', '/people', '/people/audit', '/usage', '/dead-letters', '/pairing'].map(async (path) =>
      (await fetch(`${antler.url}/api/v1/operations${path}`)).text(),
    ),
  );
  for (const [where, seen] of [
    ['chats', shown],
    ['requests', requests],
    ['logs', logged.join('\n')],
    ['API', api.join('\n')],
  ] as const)
    assert.ok(!seen.includes(KEY), `the key stands in the ${where}`);
  const told = logged.filter((line) => !line.startsWith('debug '));
  assert.deepEqual(wordsIn(told.join('\n')), new Set(), 'what people said stands in the log');
  assert.deepEqual(wordsIn(api.join('\n')), new Set(), 'what people said stands in the API');
  for (const place of places)
    for (const word of wordsIn(place.shown()))
      assert.ok(word.includes(place.name), `${word} was shown in ${place.name}`);
});
