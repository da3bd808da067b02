import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentSchema } from '../../config/schema/agent.ts';
import { text, tools } from '../../simulator/model/index.ts';
import { configOf, playAntler, setStage } from './stage.ts';

const AGENT = join(import.meta.dirname, '../../harness/acp/testing/agent.child.ts');

test('an agent that needs a permission asks the person in the chat, and does it once it is allowed', async (t) => {
  const stage = await setStage(t);
  const config = configOf(stage);
  const [[id, assistant] = ['lead', undefined]] = Object.entries(config.assistants);
  assert.ok(assistant !== undefined);
  await playAntler(t, stage, {
    ...config,
    assistants: { ...config.assistants, [id]: { ...assistant, agents: ['coder'] } },
    agents: { coder: agentSchema.parse({ command: process.execPath, args: [AGENT] }) },
  });
  const call = tools(['agent_coder', { prompt: 'execute make clean' }]);

  stage.model.script(call);
  await stage.ask(
    'Clean it up',
    /coder asks for your permission: Run a command \{"command":"make clean"\}\s+1\. Allow/,
  );

  // The model alone cannot allow it: another answer leaves it forbidden, and it is asked again.
  stage.model.script(call);
  await stage.ask('What would that do?', /asks for your permission/);

  stage.model.script(call, text('It is clean.'));
  await stage.ask('1', /^It is clean\.$/);
  assert.match(JSON.stringify(stage.model.requests.at(-1)?.body), /did make clean/);

  // Once was once.
  stage.model.script(call);
  await stage.ask('Again', /asks for your permission/);
  stage.model.script(call);
  await stage.ask('2', /asks for your permission/);
});

test('a permission that was asked for before a restart is given after it', async (t) => {
  const stage = await setStage(t);
  const config = configOf(stage);
  const { lead } = config.assistants;
  assert.ok(lead !== undefined);
  const withAgent = {
    ...config,
    assistants: { lead: { ...lead, agents: ['coder'] } },
    agents: { coder: agentSchema.parse({ command: process.execPath, args: [AGENT] }) },
  };
  const call = tools(['agent_coder', { prompt: 'execute make clean' }]);
  const before = await playAntler(t, stage, withAgent);
  stage.model.script(call);
  await stage.ask('Clean it up', /coder asks for your permission/);
  await before.stop();
  await playAntler(t, stage, withAgent);
  stage.model.script(call, text('It is clean.'));
  await stage.ask('1', /^It is clean\.$/);
  assert.match(JSON.stringify(stage.model.requests.at(-1)?.body), /did make clean/);
});
