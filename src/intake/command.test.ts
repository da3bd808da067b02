import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommand } from './command.ts';

test('commands need the slash and a known word; everything else is chat', () => {
  const table: [string, ReturnType<typeof parseCommand>][] = [
    ['/new', { name: 'new', args: '' }],
    ['  /NEW  ', { name: 'new', args: '' }],
    ['/start payload', { name: 'start', args: 'payload' }],
    ['/help arg\nline2', { name: 'help', args: 'arg\nline2' }],
    ['new', null],
    ['/mnt/data/file.txt is gone', null],
    ['/newest phones?', null],
    ['/', null],
    ['/123 中文', null],
    ['please /stop', null],
  ];
  for (const [text, expected] of table) assert.deepEqual(parseCommand(text), expected, text);
});
