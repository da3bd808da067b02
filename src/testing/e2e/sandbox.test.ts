import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { text, tools } from '../../simulator/model/index.ts';
import { dockerForTests, TEST_IMAGE } from '../docker.ts';
import { configOf, playAntler, type Stage, setStage } from './stage.ts';

const engine = await dockerForTests();
const skip = engine.kind === 'none' && engine.why;
after(async () => {
  if (engine.kind === 'running') await engine.stop();
});

async function play(t: TestContext, sandbox: string): Promise<Stage> {
  const stage = await setStage(t);
  const file = join(stage.folder, 'config.yaml');
  writeFileSync(file, `sandbox: ${sandbox}\n`);
  await playAntler(t, stage, configOf(stage, { ANTLER_CONFIG: file }));
  return stage;
}

/** What the model was sent in its n-th request. */
const sentTo = (stage: Stage, n: number): string => JSON.stringify(stage.model.requests[n]?.request.messages);
const toolsOf = (stage: Stage): string => JSON.stringify(stage.model.requests[0]?.request.tools);

async function documentOf({ telegram, dm }: Stage): Promise<string> {
  const { media } = await telegram.waitFor(dm, (message) => message.from.isBot && message.media !== undefined, 20_000);
  const [, fileId = ''] = /"file_id":"([^"]+)"/.exec(JSON.stringify(media?.fields)) ?? [];
  return Buffer.from(telegram.contentOf(fileId)).toString();
}

test('what the assistant writes, reads, changes and presents comes to the chat as a file', async (t) => {
  const stage = await play(t, '{ engine: none }');
  const path = '/mnt/user-data/outputs/plan.md';
  stage.model.script(
    tools(['write_file', { path, content: '# Plan\n\nBuy milk.\n' }]),
    tools(['read_file', { file: path }]),
    tools(['replace_in_file', { path, old_text: 'milk', new_text: 'oat milk' }]),
    tools(['present_files', { paths: [path] }]),
    text('Here is the plan.'),
  );
  await stage.ask('make a plan', /^Here is the plan\.$/);
  assert.equal(await documentOf(stage), '# Plan\n\nBuy oat milk.\n');
  assert.match(sentTo(stage, 2), /outputs\/plan\.md, lines 1 to 3 of 3/);
  assert.match(toolsOf(stage), /"write_file"/);
  assert.doesNotMatch(toolsOf(stage), /"shell"/);
});

test('the files are there in the next turn, and a file that is there is not overwritten unread', async (t) => {
  const stage = await play(t, '{ engine: none }');
  stage.model.script(tools(['write_file', { path: 'a.txt', content: 'one' }]), text('Kept.'));
  await stage.ask('keep one', /^Kept\.$/);
  stage.model.script(tools(['read_file', { file: 'a.txt' }]), text('It says one.'));
  await stage.ask('what is in it?', /^It says one\.$/);
  // Another person has a folder of her own.
  const dm = stage.telegram.openPrivateChat(stage.bo, stage.bot);
  stage.model.script(tools(['read_file', { file: 'a.txt' }]), text('没有。'));
  await stage.ask('有吗', /^没有。$/, stage.bo, dm);
  assert.match(sentTo(stage, 5), /there is no file of that name/);
});

test('a command works on what somebody has sent, and its result comes back as a file', { skip }, async (t) => {
  const host = engine.kind === 'running' ? engine.url : '';
  const stage = await play(t, `{ host: "${host}", image: "${TEST_IMAGE}", memory_mb: 100 }`);
  const { telegram, ann, dm, model } = stage;
  const sent = Buffer.from('b\na\nc\n');
  const media = telegram.media({ kind: 'document', bytes: sent, name: 'list.txt', mime: 'text/plain' });
  model.script(
    tools(['shell', { command: 'sort ../uploads/list.txt | tee ../outputs/sorted.txt; env' }]),
    tools(['shell', { command: 'cat /proc/1/environ' }]),
    tools(['present_files', { paths: ['/mnt/user-data/outputs/sorted.txt'] }]),
    text('Sorted.'),
  );
  telegram.people.say(ann, dm, 'sort it', { media });
  assert.equal(await documentOf(stage), 'a\nb\nc\n');
  assert.match(sentTo(stage, 1), /a\\+nb\\+nc/);
  assert.doesNotMatch(sentTo(stage, 1), /OPENAI|TELEGRAM|sk-test/);
  assert.match(sentTo(stage, 2), /the command was not run/);
});

const WEATHER = `---
name: weather
description: Tells the weather.
secrets: [WEATHER_API_KEY]
---

Run weather.sh.
`;

test('commands see the skills of the assistant, read-only, and get their secrets without showing them', {
  skip,
}, async (t) => {
  const stage = await setStage(t);
  const host = engine.kind === 'running' ? engine.url : '';
  const file = join(stage.folder, 'config.yaml');
  writeFileSync(
    file,
    [
      `sandbox: { host: "${host}", image: "${TEST_IMAGE}", memory_mb: 100 }`,
      `skills: { custom_dir: "${join(stage.folder, 'custom')}", secrets: { WEATHER_API_KEY: wk-123456789 } }`,
      'assistants: { lead: { skills: [weather, slides] } }',
    ].join('\n'),
  );
  const skill = join(stage.folder, 'custom/weather');
  mkdirSync(skill, { recursive: true });
  writeFileSync(join(skill, 'SKILL.md'), WEATHER);
  writeFileSync(join(skill, 'weather.sh'), 'echo "sunny, by key $WEATHER_API_KEY"\n');
  await playAntler(t, stage, configOf(stage, { ANTLER_CONFIG: file }));
  stage.model.script(
    tools([
      'shell',
      { command: 'echo key:$WEATHER_API_KEY; ls /mnt/skills; head -c 15 /mnt/skills/slides/template.html' },
    ]),
    tools(['shell', { command: 'bash /mnt/skills/weather/weather.sh; echo x > /mnt/skills/weather/weather.sh' }]),
    text('It is sunny.'),
  );
  await stage.ask('What is the weather?', /^It is sunny\.$/);
  assert.match(sentTo(stage, 1), /key:\\+nslides\\+nweather\\+n<!doctype html/i);
  // What a command says and what it complains of come by two ways, in either order.
  assert.match(sentTo(stage, 2), /sunny, by key \\+n/);
  assert.match(sentTo(stage, 2), /Read-only file system/);
  stage.model.script(
    tools(['load_skill', { name: 'weather' }]),
    tools(['shell', { command: 'bash /mnt/skills/weather/weather.sh' }]),
    text('Still sunny.'),
  );
  await stage.ask('And now?', /^Still sunny\.$/);
  assert.match(sentTo(stage, 5), /sunny, by key \[secret WEATHER_API_KEY\]/);
  assert.doesNotMatch(JSON.stringify(stage.model.requests.map(({ body }) => body)), /wk-123456789/);
});
