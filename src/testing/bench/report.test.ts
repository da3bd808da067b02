import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summary, toMarkdown } from './report.ts';
import type { Results, SubjectResults } from './results.ts';

const memory = { rssMb: 140, pssMb: 90 };

const subject = (addedMs: number, cpuMs: number): SubjectResults => ({
  exchanges: Array.from({ length: 20 }, () => ({ inMs: addedMs / 2, outMs: addedMs / 2 })),
  cpuMs,
  serverCpuMs: 0,
  idle: new Map([['start', memory]]),
  memory: new Map([['start', { rssMb: 180, pssMb: 120 }]]),
  burst: {
    messages: 200,
    chats: 50,
    answered: 200,
    duplicates: 0,
    lastMs: 4_000,
    medianMs: 2_000,
    refused: 0,
    modelCalls: 90,
  },
});

const results: Results = {
  at: new Date('2030-01-02T03:04:05Z'),
  quick: false,
  machine: { cores: 2, processor: 'P', memoryGb: 8, node: 'v24.0.0', system: 'linux 6', loadBefore: 0 },
  startUp: { coldMs: 1_500, warmMs: 900, starts: 5, idle: memory },
  subjects: new Map([
    ['embedded', subject(6, 12)],
    ['reference', subject(3, 6)],
  ]),
};

test('the page names each figure beside its aim, and compares with the bare bot', () => {
  const page = toMarkdown(results);
  assert.match(page, /on 2030-01-02/);
  assert.match(page, /first page served.*\| 0\.90 s \| < 2\.00 s \|/);
  assert.match(page, /`antler start` \| 140 MB \(90\); after 20 messages 180 MB \(120\) \| < 150 MB when idle \|/);
  assert.match(page, /SQLite\) \| 3\.0 \/ 3\.0 ms \| 3\.0 \/ 3\.0 ms \| 6\.0 \/ 6\.0 ms \| 12\.0 ms \|/);
  assert.match(page, /2\.0 times its milliseconds and 2\.0 times its CPU when embedded;/);
  assert.match(page, /\| 200 of 200 \| 0 \| 2\.00 s \| 4\.00 s \|/);
  assert.doesNotMatch(page, /undefined|NaN/);
});

test('the summary has a line for each path', () => {
  assert.match(summary(results), /embedded: in 3\.0 \/ 3\.0 ms.*\n.*140 MB.*\n.*200 of 200/);
});
