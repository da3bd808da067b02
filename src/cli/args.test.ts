import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CommandLine, parseCommandLine } from './args.ts';

const cases: readonly (readonly [string, CommandLine])[] = [
  ['', { command: 'help' }],
  ['start', { command: 'start', options: {} }],
  [
    'start --config a.yaml --host 0.0.0.0 --port 80',
    { command: 'start', options: { config: 'a.yaml', host: '0.0.0.0', port: 80 } },
  ],
  ['--port=0 start', { command: 'start', options: { port: 0 } }],
  ['gateway -c a.yaml -p 1', { command: 'gateway', options: { config: 'a.yaml', port: 1 } }],
  ['worker', { command: 'worker', options: {} }],
  ['config check --config=x', { command: 'config check', options: { config: 'x' } }],
  ['demo', { command: 'demo', options: {} }],
  ['help', { command: 'help' }],
  ['--help', { command: 'help' }],
  ['help start', { command: 'help', topic: 'start' }],
  ['help config check', { command: 'help', topic: 'config check' }],
  ['config check -h', { command: 'help', topic: 'config check' }],
  ['strat --help', { command: 'help' }],
  ['version', { command: 'version' }],
  ['-v', { command: 'version' }],
  ['strat', { command: 'wrong', message: 'unknown command "strat"; did you mean "start"?' }],
  ['frobnicate', { command: 'wrong', message: 'unknown command "frobnicate"; "antler help" lists them' }],
  ['config', { command: 'wrong', message: 'say which: antler config check, config explain' }],
  ['config chekc', { command: 'wrong', message: 'unknown command "config chekc"; did you mean "config check"?' }],
  ['help strat', { command: 'wrong', message: 'unknown command "strat"; did you mean "start"?' }],
  ['start now', { command: 'wrong', message: '"antler start" takes no "now"' }],
  ['start --prot 1', { command: 'wrong', message: 'unknown option --prot; did you mean "--port"?' }],
  ['--prot 3', { command: 'wrong', message: 'unknown option --prot; did you mean "--port"?' }],
  ['--prot 3 start', { command: 'wrong', message: 'unknown option --prot; did you mean "--port"?' }],
  ['worker --port 1', { command: 'wrong', message: '"antler worker" takes no --port' }],
  ['start -x', { command: 'wrong', message: 'unknown option -x' }],
  ['start --config', { command: 'wrong', message: '--config needs a value' }],
  ['start --config --port 1', { command: 'wrong', message: '--config needs a value' }],
  ['start --port 80a', { command: 'wrong', message: '--port: expected a whole number from 0 to 65535, got "80a"' }],
  ['channels', { command: 'channels list', options: {} }],
  ['channels --json', { command: 'channels list', options: { json: true } }],
  ['channels pause telegram', { command: 'channels pause', operand: 'telegram', options: {} }],
  ['channels resume', { command: 'wrong', message: 'say which: antler channels resume NAME' }],
  ['channels pause a b', { command: 'wrong', message: '"antler channels pause" takes no "b"' }],
  [
    'channels puase a',
    { command: 'wrong', message: 'unknown command "channels puase a"; did you mean "channels pause"?' },
  ],
  ['dead-letters -n 5', { command: 'dead-letters list', options: { limit: 5 } }],
  [
    'dead-letters list --limit 0',
    { command: 'wrong', message: '--limit: expected a whole number from 1 to 1000, got "0"' },
  ],
  ['dead-letters --json=1', { command: 'wrong', message: '--json takes no value' }],
  ['dead-letters replay all', { command: 'dead-letters replay', operand: 'all', options: {} }],
  ['dead-letters drop --json d_1', { command: 'dead-letters drop', operand: 'd_1', options: { json: true } }],
  ['dead-letters drop', { command: 'wrong', message: 'say which: antler dead-letters drop ID|all' }],
  [
    'dead-letter drop d',
    { command: 'wrong', message: 'unknown command "dead-letter drop d"; did you mean "dead-letters"?' },
  ],
  ['help dead-letters', { command: 'help', topic: 'dead-letters list' }],
  ['help channels pause', { command: 'help', topic: 'channels pause' }],
  ['start --port=70000', { command: 'wrong', message: '--port: expected a whole number from 0 to 65535, got "70000"' }],
];

for (const [line, expected] of cases)
  test(`antler ${line}`, () =>
    assert.deepEqual(parseCommandLine(line.split(' ').filter((word) => word !== '')), expected));
