import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommand } from './command.ts';

test('commands need the slash and a known word; everything else is chat', () => {
  const table: [string, ReturnType<typeof parseCommand>][] = [
    ['/new', { name: 'new', args: '' }],
    ['  /NEW  ', { name: 'new', args: '' }],
    ['/start payload', { name: 'start', args: 'payload' }],
    ['/help arg\nline2', { name: 'help', args: 'arg\nline2' }],
    ['／NEW', { name: 'new', args: '' }],
    ['/new。', { name: 'new', args: '' }],
    ['/新对话', { name: 'new', args: '' }],
    ['/模型 大', { name: 'model', args: '大' }],
    ['/resume-bot', { name: 'resume-bot', args: '' }],
    ['/resume-bots', null],
    ['/constructor', null],
    ['new', null],
    ['/mnt/data/file.txt is gone', null],
    ['/newest phones?', null],
    ['/', null],
    ['/123 中文', null],
    ['please /stop', null],
  ];
  for (const [text, expected] of table) assert.deepEqual(parseCommand(text), expected, text);
});
