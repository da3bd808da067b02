import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPersonId, personSubject } from '../base/ids.ts';
import { imported } from './seed.ts';

const NOW = Date.UTC(2026, 2, 1);
const subject = personSubject(newPersonId());
const read = (file: unknown) => imported(typeof file === 'string' ? file : JSON.stringify(file), subject, NOW);

test('a memory.json of the seed system is read with its summaries, facts and their dates', () => {
  const { facts, summaries, skipped } = read({
    version: '1.0',
    lastUpdated: '2026-01-02T00:00:00Z',
    user: {
      workContext: { summary: 'Leads a team.', updatedAt: '2026-01-02T00:00:00Z' },
      personalContext: { summary: '', updatedAt: '' },
      topOfMind: { summary: 'A launch.', updatedAt: '' },
    },
    history: {
      recentMonths: { summary: 'Moved.' },
      earlierContext: null,
      longTermBackground: { summary: 'Studied law.' },
    },
    facts: [
      {
        ...{ id: 'fact_1', content: 'Prefers short  answers', category: 'preference', confidence: 0.95 },
        ...{ createdAt: '2026-01-01T00:00:00Z', source: 'thread_1' },
      },
    ],
  });
  assert.deepEqual(summaries, {
    work: 'Leads a team.',
    top_of_mind: 'A launch.',
    recent: 'Moved.',
    long_term: 'Studied law.',
  });
  assert.deepEqual(
    facts.map(({ content, category, confidence, lastSeenAt, isPrivate, validUntil }) => ({
      content,
      category,
      confidence,
      lastSeenAt,
      isPrivate,
      validUntil,
    })),
    [
      {
        content: 'Prefers short answers',
        category: 'preference',
        confidence: 0.95,
        lastSeenAt: Date.UTC(2026, 0, 1),
        isPrivate: true,
        validUntil: null,
      },
    ],
  );
  assert.equal(skipped, 0);
});

test('one bad entry does not stop the others; secrets stay outside', () => {
  const { facts, skipped } = read({
    facts: [
      null,
      {},
      { content: '   ' },
      { content: 'x'.repeat(501) },
      { content: 'The password is hunter2', confidence: 1 },
      { content: 'No more', category: 'unheard-of', confidence: null, createdAt: 'yesterday' },
      { content: 'From the future', confidence: 7, createdAt: '2999-01-01T00:00:00Z' },
      { content: 'As text', confidence: '0.5' },
    ],
  });
  assert.deepEqual(
    facts.map(({ content, category, confidence, createdAt }) => [content, category, confidence, createdAt]),
    [
      ['No more', 'knowledge', 0.8, NOW],
      ['From the future', 'knowledge', 0.8, NOW],
      ['As text', 'knowledge', 0.5, NOW],
    ],
  );
  assert.equal(skipped, 5);
});

test('what is no such file is refused with a reason', () => {
  for (const text of ['', 'no', '[]', '3', 'null', '{"facts": 3}'])
    assert.throws(() => read(text), { code: 'bad_input' }, text);
  assert.deepEqual(read({}), { facts: [], summaries: {}, skipped: 0 });
});
