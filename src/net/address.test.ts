import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AddressKind, addressKind } from './address.ts';

/** Prefix, and what everything in it is. */
const RANGES: readonly (readonly [string, AddressKind])[] = [
  ['0.0.0.0/8', 'forbidden'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'private'],
  ['127.0.0.0/8', 'private'],
  ['169.254.0.0/16', 'forbidden'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'forbidden'],
  ['192.0.2.0/24', 'forbidden'],
  ['192.88.99.0/24', 'forbidden'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'forbidden'],
  ['198.51.100.0/24', 'forbidden'],
  ['203.0.113.0/24', 'forbidden'],
  ['224.0.0.0/4', 'forbidden'],
  ['240.0.0.0/4', 'forbidden'],
];

const v4Text = (number: number): string => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');

function bounds(cidr: string): readonly [number, number] {
  const [address = '', bits = ''] = cidr.split('/');
  const first = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return [first, first + 2 ** (32 - Number(bits)) - 1];
}

const METADATA = new Set(['100.100.100.200', '168.63.129.16']);

test('every address of a special range is told for what it is, to its very ends', () => {
  for (const [cidr, kind] of RANGES) {
    const [first, last] = bounds(cidr);
    for (const end of [first, last]) assert.equal(addressKind(v4Text(end)), kind, `${v4Text(end)} of ${cidr}`);
    fc.assert(
      fc.property(fc.integer({ min: first, max: last }), (number) => {
        const text = v4Text(number);
        assert.equal(addressKind(text), METADATA.has(text) ? 'forbidden' : kind);
      }),
      { numRuns: 50 },
    );
  }
});

test('just beside the special ranges the internet goes on', () => {
  const neighbours = ['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'];
  neighbours.push('128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255');
  neighbours.push('192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '8.8.8.8', '93.184.215.14');
  for (const address of neighbours) assert.equal(addressKind(address), 'public', address);
});

test('only IPv6 that is routed on the internet is public', () => {
  const table: readonly (readonly [string, AddressKind])[] = [
    ['2606:4700::6810:84e5', 'public'],
    ['2a00:1450:4001:80b::200e', 'public'],
    ['2001:4860:4860::8888', 'public'],
    ['::', 'forbidden'],
    ['::1', 'private'],
    ['fc00::1', 'private'],
    ['fdff:ffff::1', 'private'],
    ['fe80::1', 'forbidden'],
    ['fe80::1%eth0', 'forbidden'],
    ['::1%lo', 'forbidden'],
    ['fec0::1', 'forbidden'],
    ['ff02::1', 'forbidden'],
    ['100::1', 'forbidden'],
    ['2001:db8::1', 'forbidden'],
    ['3fff::1', 'forbidden'],
    ['5f00::1', 'forbidden'],
    ['4000::1', 'forbidden'],
    ['::127.0.0.1', 'forbidden'],
    ['::ffff:127.0.0.1', 'forbidden'],
    ['::ffff:8.8.8.8', 'forbidden'],
    ['::ffff:7f00:1', 'forbidden'],
    ['::ffff:0:127.0.0.1', 'forbidden'],
    ['64:ff9b::10.0.0.1', 'forbidden'],
    ['64:ff9b::808:808', 'forbidden'],
    ['64:ff9b:1::10.0.0.1', 'forbidden'],
    ['2002:7f00:1::', 'forbidden'],
    ['2002:808:808::1', 'forbidden'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'forbidden'],
  ];
  for (const [address, kind] of table) assert.equal(addressKind(address), kind, address);
});

test('an IPv4 address inside an IPv6 one is never public, whichever it is', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:'), (v4, prefix) => {
      assert.equal(addressKind(prefix + v4), v4 === '0.0.0.1' && prefix === '::' ? 'private' : 'forbidden');
    }),
    { numRuns: 300 },
  );
});

test('metadata services are forbidden even where their network could be opened', () => {
  const services = ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254'];
  for (const address of [...services, 'FD00:0EC2:0::254', 'fd20:ce::254', '192.0.0.192'])
    assert.equal(addressKind(address), 'forbidden', address);
});

test('what is no address is forbidden', () => {
  for (const text of [
    '',
    'localhost',
    '1.2.3',
    '256.1.1.1',
    '8.8.8.8/32',
    ' 8.8.8.8',
    '8.8.8.8 ',
    '[::1]',
    '08.8.8.8x',
  ])
    assert.equal(addressKind(text), 'forbidden', text);
});
