import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setStage } from './feishu-stage.ts';

const GROUPS = 20;
/** Of each of the two people of a group: as many as one person may have open. */
const EACH = 5;
/** How long the model takes for one task. */
const WORK_MS = 400;
/** Conversations of one chat that are worked on at once, by default. */
const PER_CHAT = 4;

test('200 tasks of 20 groups at once: within the limits, each group gets its own results, none waits for another', async (t) => {
  const { feishu, model, app, said, ask } = await setStage(t, 'websocket');
  const nameIn = (text: string): string => /job-\d+-\d+/.exec(text)?.[0] ?? '?';
  model.handle(({ messages }) => {
    const name = nameIn(messages.at(-1)?.text ?? '');
    return { parts: [{ kind: 'text', text: `Result of ${name}.`, delayMs: WORK_MS }] };
  });
  const groups = Array.from({ length: GROUPS }, (_, g) => {
    const people = [0, 1].map((n) => feishu.addUser(`P${g}x${n}`));
    return { people, chat: feishu.addGroup({ title: `Team ${g}`, users: people, apps: [app] }) };
  });

  const asked = new Map<string, string>();
  for (let n = 0; n < EACH; n++)
    for (const [g, { people, chat }] of groups.entries())
      for (const [p, person] of people.entries()) {
        const name = `job-${g}-${n * 2 + p}`;
        asked.set(name, feishu.people.say(person, chat, `@Antler /task ${name}`).id);
      }
  const [first] = groups;
  assert.ok(first?.people[0] !== undefined);
  await ask('@Antler /task one too many', /You have 5 open tasks already/, first.people[0], first.chat);

  await Promise.all(
    groups.flatMap(({ chat }, g) =>
      Array.from({ length: 2 * EACH }, async (_, n) => {
        const name = `job-${g}-${n}`;
        // It calls who asked; what is still growing calls nobody.
        const result = new RegExp(`^@P${g}x${n % 2}\\b[\\s\\S]*Result of ${name}\\.`);
        const done = await feishu.waitFor(
          chat,
          (message) => message.from === app && result.test(feishu.text(message)),
          90_000,
        );
        assert.equal(done.parentId, asked.get(name), 'the result is a reply to its request');
      }),
    ),
  );
  for (const [g, { chat }] of groups.entries()) {
    const strange = said(chat).filter((one) => [...one.matchAll(/job-(\d+)-/g)].some(([, of]) => of !== String(g)));
    assert.deepEqual(strange, [], 'nothing of another group is said here');
    const results = said(chat).filter((one) => one.includes('Result of'));
    assert.equal(results.length, 2 * EACH, 'each result is said once');
  }

  const begun = model.requests.map(({ at, body }) => ({ at, name: nameIn(JSON.stringify(body)) }));
  const rounds = groups.map((_, g) => begun.filter(({ name }) => name.startsWith(`job-${g}-`)).map(({ at }) => at));
  for (const starts of rounds)
    for (const at of starts)
      assert.ok(
        starts.filter((other) => other >= at && other < at + WORK_MS - 100).length <= PER_CHAT,
        'four at once of a chat',
      );
  const began = rounds.map((starts) => Math.min(...starts));
  t.diagnostic(`the last group began ${Math.round(Math.max(...began) - Math.min(...began))} ms after the first`);
});
