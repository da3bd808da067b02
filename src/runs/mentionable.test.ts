import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imUserKey } from '../base/ids.ts';
import type { InboundMessage } from '../channel/message.ts';
import type { LogEntry } from '../harness/log.ts';
import { mentionable } from './mentionable.ts';

const said = (
  id: string,
  name: string,
  tenant = 'T1',
  channelType: InboundMessage['channelType'] = 'slack',
): LogEntry => ({
  kind: 'user',
  id: '1',
  at: 0,
  text: 'hi',
  speaker: { id: imUserKey({ channelType, tenant, user: id }), name },
});

const message = {
  channelType: 'slack',
  tenant: 'T1',
  sender: { id: 'U1', name: 'Ann', isBot: false },
  mentions: [{ id: 'U2', name: 'Bob' }],
} as unknown as InboundMessage;
const payload = { message, place: '', assistantId: '', language: 'en' } as unknown as Parameters<
  typeof mentionable
>[1][0];

test('whoever spoke here or was mentioned can be called', () => {
  const people = mentionable([said('U3', 'Cleo')], [payload]);
  assert.deepEqual(
    [...people],
    [
      ['Ann', 'U1'],
      ['Bob', 'U2'],
      ['Cleo', 'U3'],
    ],
  );
});

test('a name that two people bear calls neither, and people of another platform or workspace are not here', () => {
  const people = mentionable(
    [said('U9', 'Ann'), said('U3', 'Cleo', 'T2'), said('7', 'Dan', '', 'telegram')],
    [payload],
  );
  assert.deepEqual([...people], [['Bob', 'U2']]);
});
