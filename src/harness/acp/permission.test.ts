import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestPermissionRequest, ToolKind } from '@agentclientprotocol/sdk';
import { allowing, decide, readPermissions, refusing, useGrant, wantedBy, withGrant } from './permission.ts';

const request = (kind: ToolKind, command = 'ls', title = 'Run it'): RequestPermissionRequest => ({
  sessionId: 's',
  toolCall: { toolCallId: `t${Math.random()}`, kind, title, rawInput: { command } },
  options: [],
});

test('a policy allows no more than it says, whatever kind an agent claims', () => {
  assert.equal(decide('deny', request('read')), 'refuse');
  assert.equal(decide('allow_read', request('read')), 'allow');
  assert.equal(decide('allow_read', request('execute')), 'refuse');
  assert.equal(decide('allow_read', { ...request('read'), toolCall: { toolCallId: 't' } }), 'refuse');
  assert.equal(decide('ask', request('read')), 'ask');
});

test('something is never allowed for good, nor where an agent offers nothing else', () => {
  const always = { optionId: 'a', name: 'Always', kind: 'allow_always' } as const;
  const once = { optionId: 'o', name: 'Once', kind: 'allow_once' } as const;
  assert.deepEqual(allowing([always, once]).outcome, { outcome: 'selected', optionId: 'o' });
  assert.deepEqual(allowing([always]).outcome, { outcome: 'cancelled' });
  assert.deepEqual(refusing([always, once]).outcome, { outcome: 'cancelled' });
});

test('a permission holds once, for the very same thing, for whom it was given, and a day', () => {
  const wanted = wantedBy(request('execute', 'rm a'));
  assert.equal(wanted.what, 'Run it {"command":"rm a"}');
  assert.equal(wanted.key, wantedBy(request('execute', 'rm a')).key);
  assert.notEqual(wanted.key, wantedBy(request('execute', 'rm b')).key);

  const subject = { agent: 'agent_x', key: wanted.key, whom: 'ann', at: 1_000 };
  const granted = withGrant(readPermissions(undefined), subject, 1_000);
  const left = useGrant(granted, subject);
  assert.deepEqual(left?.granted, []);
  assert.equal(useGrant(left ?? granted, subject), null);
  assert.equal(useGrant(granted, { ...subject, whom: 'bo' }), null);
  assert.equal(useGrant(granted, { ...subject, agent: 'agent_y' }), null);
  assert.equal(useGrant(granted, { ...subject, key: 'other' }), null);
  assert.equal(useGrant(granted, { ...subject, at: 25 * 3_600_000 }), null);
});
