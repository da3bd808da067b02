import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandNames, commands, options } from './commands.ts';
import { helpText, versionText } from './help.ts';

test('help lists every command and option, in lines that fit a terminal', () => {
  const text = helpText();
  for (const name of commandNames) assert.ok(text.includes(`  ${name} `), name);
  for (const name of Object.keys(options)) assert.ok(text.includes(`--${name} `), name);
  for (const line of text.split('\n')) assert.ok(line.length <= 100, line);
});

test('help on a command has its own options only', () => {
  const text = helpText('worker');
  assert.ok(text.includes('--config FILE') && !text.includes('--port'));
  assert.ok(text.startsWith(`antler worker: ${commands.worker.summary}\n`));
});

test('the version names Antler and Node', () =>
  assert.match(versionText('0.1.0'), /^antler 0\.1\.0 \(Node \d+\.\d+\.\d+\)\n$/));
