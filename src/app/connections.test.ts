import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConnections, type StatusListener } from './connections.ts';

/** Two replicas hear each other, and themselves, as on a bus. */
function airwaves() {
  const listeners = new Set<(data: string) => void>();
  return {
    listeners,
    bus: {
      broadcast: (_: string, data: string) => {
        for (const listener of listeners) listener(data);
      },
      subscribe: (_: string, listener: (data: string) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}

const login = { state: 'login', qr: 'https://example.com/q', hint: 'Scan it.' } as const;

test('whoever comes to a replica that stands by sees the QR code of the one that logs in', () => {
  const { bus, listeners } = airwaves();
  const holder = createConnections(bus, ['wechat']);
  const other = createConnections(bus, ['wechat']);
  other.report('wechat', { state: 'standby' });
  assert.deepEqual(other.get('wechat'), { state: 'standby' });
  holder.report('wechat', login);
  assert.deepEqual(other.get('wechat'), login);
  holder.report('wechat', { state: 'connected' });
  assert.deepEqual(other.get('wechat'), { state: 'standby' });
  holder.stop();
  other.stop();
  assert.equal(listeners.size, 0);
});

test('a replica that comes later asks what there is, and what it does itself counts first', () => {
  const { bus } = airwaves();
  const holder = createConnections(bus, ['wechat']);
  holder.report('wechat', login);
  const late = createConnections(bus, ['wechat']);
  assert.deepEqual(late.get('wechat'), { state: 'connecting' });
  late.report('wechat', { state: 'standby' });
  assert.deepEqual(late.get('wechat'), login);
  late.report('wechat', { state: 'connected' });
  assert.deepEqual(late.get('wechat'), { state: 'connected' });
});

test('nonsense on the air and channels that nobody configured leave no trace', () => {
  const { bus } = airwaves();
  const connections = createConnections(bus, ['wechat']);
  connections.report('wechat', { state: 'standby' });
  for (const data of ['', '{', '{"kind":"is"}', JSON.stringify({ kind: 'is', from: 'x', channel: 'y', status: login })])
    bus.broadcast('connections', data);
  assert.deepEqual(connections.get('wechat'), { state: 'standby' });
  assert.deepEqual(connections.get('y'), { state: 'connecting' });
});

test('a listener hears what is there already, then each change, until it has enough', () => {
  const { bus } = airwaves();
  const connections = createConnections(bus, ['a']);
  connections.report('a', login);
  const heard: string[] = [];
  const listener: StatusListener = (channel, { state }) => heard.push(`${channel} ${state}`);
  const end = connections.subscribe(listener);
  connections.report('a', { state: 'connected' });
  end();
  connections.report('a', { state: 'stopped' });
  assert.deepEqual(heard, ['a login', 'a connected']);
});
