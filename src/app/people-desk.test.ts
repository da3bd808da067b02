import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { peopleRoutes } from '../admin/people.ts';
import { systemClock } from '../base/clock.ts';
import { imUserKey } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import { type PeopleOptions, runPeople } from '../cli/people.ts';
import { loadConfig } from '../config/load.ts';
import { openStore } from '../store/index.ts';
import { manifests } from './channels.ts';
import { movesOf, peopleAdmin } from './people-desk.ts';

const variables = { TELEGRAM_BOT_TOKEN: '1:abc' };

/** People and their desk, on a database of their own. */
async function openDesk(t: TestContext, yaml: string) {
  const folder = mkdtempSync(join(tmpdir(), 'antler-people-'));
  const store = await openStore({ file: join(folder, 'antler.db'), log: silentLogger });
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(join(folder, 'config.yaml'), yaml);
  const result = loadConfig({ env: variables, manifests, cwd: folder });
  assert.ok(result.ok, JSON.stringify(result));
  const admin = peopleAdmin({ config: result.config, store, clock: systemClock, log: silentLogger }, movesOf(store));
  const run = async (command: PeopleOptions['command'], operand = '', more: Partial<PeopleOptions> = {}) => {
    const lines: string[] = [];
    await runPeople({ command, operand, ...admin, ...more, print: (line) => lines.push(line) });
    return lines.join('\n');
  };
  const meet = (user: string) =>
    store.imUsers.see(
      { key: imUserKey({ channelType: 'telegram', tenant: '', user }), name: `N${user}`, isBot: false, language: null },
      Date.now(),
    );
  return { store, admin, run, meet };
}

const yaml = `
models: [{ name: small, model: s, base_url: http://127.0.0.1:1 }, { name: big, model: b, base_url: http://127.0.0.1:1 }]
assistants: { lead: {}, research: {}, clerk: {} }
roles:
  guest: { assistants: [lead, clerk], models: [small] }
routing:
  - { match: { channel: slack }, assistant_id: clerk }
  - { match: { text: '*report*' }, assistant_id: research, model: big }
  - { match: { role: guest }, assistant_id: clerk }
channels:
  telegram:
    max_steps: 7
    access: { dm: pairing, role: guest }
    users: { '7': { reasoning_effort: high } }
`;

test('antler config explain names the rule that decides, those that do not and why, and where each setting is from', async (t) => {
  const { run, meet, store } = await openDesk(t, yaml);
  const told = await run('config explain', 'telegram/7', { text: 'the report, please' });
  assert.match(told, /gets a pairing code; role guest \(let in\)/);
  assert.match(told, /The assistant lead answers: the default/);
  assert.match(told, /Passed over: assistantId research \(rule 2 of routing\), which guest may not use/);
  assert.match(told, /Passed over: model big/);
  assert.match(told, /reasoningEffort +high +said of this person/);
  assert.match(told, /maxSteps +7 +said of the channel/);
  assert.match(told, /Rule 1 of routing does not fit: channel\.\nRule 2 of routing fits\.\nRule 3 .* comes later/);
  const ann = await meet('7');
  await store.persons.grant(ann.person, 'member', 'owner', 1);
  assert.match(await run('config explain', 'telegram/7', { text: 'the report' }), /assistant research answers: rule 2/);
  assert.match(await run('config explain', 'telegram/-100/8'), /is answered; role guest .*\n.*clerk answers: rule 3/);
  await assert.rejects(run('config explain', 'telegram'), { code: 'bad_input' });
  await assert.rejects(run('config explain', 'slack/7'), { code: 'not_found' });
});

test('antler people shows, gives roles, links, unlinks, and keeps a record of it', async (t) => {
  const { run, meet } = await openDesk(t, yaml);
  const [ann, bob] = [await meet('7'), await meet('8')];
  assert.match(await run('people list'), /telegram\/\/8 +N8.*\ntelegram\/\/7 +N7/);
  assert.match(await run('people role', `${ann.key}=admin`), /N7 .* has the role admin/);
  await run('people link', `${ann.key}=${bob.key}`);
  assert.match(await run('people list'), /N8 +admin .* linked: (\S+)\n.*N7 +admin .* linked: \1/);
  await run('people unlink', bob.key);
  await assert.rejects(run('people unlink', bob.key), { code: 'not_found' });
  await assert.rejects(run('people role', `${ann.key}=king`), { code: 'bad_input' });
  await assert.rejects(run('people role', 'telegram//99=admin'), { code: 'not_found' });
  assert.match(await run('people role', `${ann.key}=none`), /no granted role/);
  const actions = (await run('people audit')).split('\n').map((line) => /cli +(\S+)/.exec(line)?.[1]);
  assert.deepEqual(actions, ['role.revoke', 'person.unlink', 'person.link', 'role.grant']);
});

test('the API shows people page by page, changes them and explains', async (t) => {
  const { admin, meet } = await openDesk(t, yaml);
  const app = peopleRoutes(admin);
  const [ann, bob] = [await meet('7'), await meet('8')];
  const ask = async (path: string, body?: object) => {
    const response = await app.request(
      path,
      body === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    );
    return response.json();
  };
  const first = await ask('/?limit=1');
  assert.equal(first.users.length, 1);
  const { key, lastSeenAt } = first.users[0];
  const next = await ask(`/?limit=5&seen_before=${lastSeenAt}&after_key=${encodeURIComponent(key)}`);
  assert.deepEqual([key, next.users[0].key].toSorted(), [ann.key, bob.key]);
  assert.equal((await ask('/role', { key: ann.key, role: 'operator' })).role, 'operator');
  await ask('/link', { one: ann.key, other: bob.key });
  const explained = await ask('/explain', { channel: 'telegram', user: '8', text: 'report' });
  assert.deepEqual([explained.role, explained.route.assistantId.value], ['operator', 'research']);
  assert.deepEqual(
    (await ask('/audit')).entries.map((entry: { action: string; actor: string }) => [entry.action, entry.actor]),
    [
      ['person.link', 'owner'],
      ['role.grant', 'owner'],
    ],
  );
});
