import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { findBest, wordsOf } from './search.ts';
import { defineTool, type Tool } from './tools/port.ts';

const tool = (name: string, description: string, origin = name.split('_')[0] ?? ''): Tool => ({
  ...defineTool({ name, description, input: z.object({}), trust: 'remote', run: () => '' }),
  origin,
});
const tools = [
  tool('github_createIssue', 'Opens a ticket in a repository.'),
  tool('github_list_pulls', 'Shows what waits for review.'),
  tool('mail_send', 'Writes to somebody.'),
  tool('kb_find', '搜索公司知识库里的文档'),
];
const found = (query: string, most = 5): string[] => findBest(tools, query, most).map(({ name }) => name);

test('a tool is found by words of its name, of its description, of where it comes from, and by its whole name', () => {
  assert.deepEqual(found('create an issue'), ['github_createIssue']);
  assert.deepEqual(found('Ticket'), ['github_createIssue']);
  assert.deepEqual(found('github'), ['github_createIssue', 'github_list_pulls']);
  assert.deepEqual(found('mail_send, kb_find'), ['mail_send', 'kb_find']);
  assert.deepEqual(found('github_list_pulls mail_send', 1), ['github_list_pulls', 'mail_send'], 'named, not ranked');
  assert.deepEqual(found('review github', 1), ['github_list_pulls']);
  assert.deepEqual(found('知识库'), ['kb_find']);
  assert.deepEqual(found('weather'), []);
  assert.deepEqual(found('!!'), []);
});

test('names fall apart into words', () => {
  assert.deepEqual(wordsOf('createIssue list_pulls HTTP2'), ['create', 'issue', 'list', 'pulls', 'http2']);
});
