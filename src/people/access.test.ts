import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessPolicy } from '../channel/book.ts';
import type { Addressed } from '../channel/message.ts';
import { type AccessDecision, decideAccess, isOverheard, isUnlisted } from './access.ts';

const open: AccessPolicy = {
  dm: 'open',
  allowUsers: [],
  admins: [],
  groups: 'open',
  allowGroups: [],
  requireMention: true,
  answerAll: false,
  role: 'member',
  bots: null,
};

function decide(policy: Partial<AccessPolicy>, kind: 'dm' | 'group', addressed: Addressed, user = '7', isBot = false) {
  return decideAccess(
    { ...open, ...policy },
    { chat: { id: kind === 'dm' ? user : '-100', kind }, sender: { id: user, name: 'Ann', isBot }, addressed },
  );
}

test('a group that was listed by the id that it had before is that group still', () => {
  const policy: AccessPolicy = { ...open, groups: 'allowlist', allowGroups: ['-7'] };
  const message = {
    chat: { id: '-100', kind: 'group' as const },
    sender: { id: '7', name: 'Ann', isBot: false },
    addressed: 'mention' as const,
  };
  assert.equal(decideAccess(policy, message), 'ignore');
  assert.equal(decideAccess(policy, message, ['-7']), 'allow');
  assert.equal(decideAccess({ ...policy, groups: 'disabled' }, message, ['-7']), 'ignore');
  assert.deepEqual([isUnlisted(policy, message.chat), isUnlisted(policy, { id: '-7', kind: 'group' })], [true, false]);
});

test('who may speak: every policy × chat kind × way of addressing', () => {
  const table: [Partial<AccessPolicy>, 'dm' | 'group', Addressed, AccessDecision][] = [
    [{}, 'dm', 'dm', 'allow'],
    [{ dm: 'allowlist' }, 'dm', 'dm', 'refuse'],
    [{ dm: 'allowlist', allowUsers: ['7'] }, 'dm', 'dm', 'allow'],
    [{ dm: 'allowlist', allowUsers: ['77', ' 7', '7,8'] }, 'dm', 'dm', 'refuse'],
    [{ dm: 'pairing' }, 'dm', 'dm', 'pair'],
    [{ dm: 'pairing', allowUsers: ['7'] }, 'dm', 'dm', 'allow'],
    [{ dm: 'allowlist', admins: ['7'] }, 'dm', 'dm', 'allow'],
    [{ dm: 'disabled' }, 'dm', 'dm', 'ignore'],
    [{}, 'group', 'mention', 'allow'],
    [{}, 'group', 'reply', 'allow'],
    [{}, 'group', 'command', 'allow'],
    [{}, 'group', 'topic-participant', 'allow'],
    [{}, 'group', 'all', 'ignore'],
    [{ answerAll: true }, 'group', 'all', 'allow'],
    [{ answerAll: true }, 'group', 'none', 'ignore'],
    [{ answerAll: true, groups: 'allowlist' }, 'group', 'all', 'ignore'],
    [{}, 'group', 'none', 'ignore'],
    [{ requireMention: false }, 'group', 'none', 'allow'],
    [{ groups: 'allowlist' }, 'group', 'mention', 'ignore'],
    [{ groups: 'allowlist', allowGroups: ['-100'] }, 'group', 'mention', 'allow'],
    [{ groups: 'disabled', requireMention: false }, 'group', 'mention', 'ignore'],
  ];
  for (const [policy, kind, addressed, expected] of table) {
    assert.equal(decide(policy, kind, addressed), expected, JSON.stringify([policy, kind, addressed]));
  }
});

test('only what is ignored because nobody meant the bot is overheard: nothing of other groups, bots or private chats', () => {
  const table: [Partial<AccessPolicy>, 'dm' | 'group', Addressed, boolean, boolean?][] = [
    [{}, 'group', 'none', true],
    [{}, 'group', 'all', true],
    [{ groups: 'allowlist', allowGroups: ['-100'] }, 'group', 'none', true],
    [{ groups: 'allowlist' }, 'group', 'none', false],
    [{ groups: 'disabled' }, 'group', 'none', false],
    [{}, 'group', 'mention', false],
    [{ answerAll: true }, 'group', 'all', false],
    [{ requireMention: false }, 'group', 'none', false],
    [{ dm: 'disabled' }, 'dm', 'none', false],
    [{}, 'group', 'none', false, true],
    [{ bots: { most: 1, windowMs: 1, hops: 1 } }, 'group', 'none', true, true],
  ];
  for (const [policy, kind, addressed, expected, isBot = false] of table) {
    const message = { chat: { id: '-100', kind }, sender: { id: '7', name: 'Ann', isBot }, addressed };
    assert.equal(isOverheard({ ...open, ...policy }, message), expected, JSON.stringify([policy, kind, addressed]));
  }
});

test('bots get an answer only where that is configured, when they mean this one', () => {
  const bots = { most: 6, windowMs: 600_000, hops: 4 };
  assert.equal(decide({}, 'dm', 'dm', '8', true), 'ignore');
  assert.equal(decide({ requireMention: false }, 'group', 'mention', '8', true), 'ignore');
  assert.equal(decide({ bots }, 'dm', 'dm', '8', true), 'ignore');
  assert.equal(decide({ bots }, 'group', 'mention', '8', true), 'bot');
  assert.equal(decide({ bots, requireMention: false }, 'group', 'none', '8', true), 'ignore');
  assert.equal(decide({ bots, answerAll: true }, 'group', 'all', '8', true), 'ignore');
  assert.equal(decide({ bots, groups: 'allowlist' }, 'group', 'mention', '8', true), 'ignore');
});

/** Every policy × who is named × chat kind × way of addressing × person or bot. */
function* everything() {
  const named: readonly (readonly string[])[] = [[], ['7'], ['8']];
  for (const dm of ['open', 'pairing', 'allowlist', 'disabled'] as const)
    for (const groups of ['open', 'allowlist', 'disabled'] as const)
      for (const allowUsers of named)
        for (const admins of named)
          for (const allowGroups of [[], ['-100'], ['-200']])
            for (const requireMention of [true, false])
              for (const answerAll of [true, false])
                for (const bots of [null, { most: 1, windowMs: 1, hops: 1 }])
                  for (const kind of ['dm', 'group'] as const)
                    for (const addressed of kind === 'dm' ? (['dm'] as const) : IN_GROUPS)
                      for (const isBot of [false, true]) {
                        const policy = { dm, groups, allowUsers, admins, allowGroups, requireMention, answerAll, bots };
                        yield { policy, kind, addressed, isBot, decision: decide(policy, kind, addressed, '7', isBot) };
                      }
}

const IN_GROUPS = ['mention', 'reply', 'command', 'topic-participant', 'all', 'none'] as const;

test('whatever is configured, nobody gets further than their policy says', () => {
  let count = 0;
  for (const { policy, kind, addressed, isBot, decision } of everything()) {
    count += 1;
    const what = JSON.stringify([policy, kind, addressed, isBot, decision]);
    const isIn = policy.admins.includes('7') || policy.allowUsers.includes('7');
    if (kind === 'dm') {
      if (isBot) assert.equal(decision, 'ignore', what);
      else if (policy.admins.includes('7')) assert.equal(decision, 'allow', what);
      else if (policy.dm === 'disabled') assert.equal(decision, 'ignore', what);
      else if (policy.dm === 'open' || isIn) assert.equal(decision, 'allow', what);
      else assert.equal(decision, policy.dm === 'pairing' ? 'pair' : 'refuse', what);
      continue;
    }
    const isListed = policy.groups === 'open' || (policy.groups === 'allowlist' && policy.allowGroups.includes('-100'));
    const isMeant = !['all', 'none'].includes(addressed);
    if (!isListed) assert.equal(decision, 'ignore', what);
    else if (isBot) assert.equal(decision, policy.bots !== null && isMeant ? 'bot' : 'ignore', what);
    else if (isMeant || !policy.requireMention) assert.equal(decision, 'allow', what);
    else assert.equal(decision, policy.answerAll && addressed === 'all' ? 'allow' : 'ignore', what);
    // In a group nobody is told who they are or how to get in: others read along.
    assert.ok(!['pair', 'refuse'].includes(decision), what);
  }
  assert.equal(count, 36_288);
});
