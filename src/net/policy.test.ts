import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressKind } from './address.ts';
import { parseAllowed } from './allowed.ts';
import { checkDestination, destinationOf, readUrl } from './policy.ts';

const allowed = (...entries: string[]) =>
  entries.map((entry) => {
    const service = parseAllowed(entry);
    assert.ok(service !== null, entry);
    return service;
  });

/** The URL's host is an address, or resolves to `address`. */
function goes(url: string, entries: readonly string[] = [], address?: string): boolean {
  const destination = destinationOf(readUrl(url));
  try {
    checkDestination(destination, [address ?? destination.host], allowed(...entries));
    return true;
  } catch {
    return false;
  }
}

test('only web addresses without credentials are taken', () => {
  for (const url of [
    'ftp://example.com',
    'file:///etc/passwd',
    'data:text/html,x',
    'javascript:alert(1)',
    'gopher://x',
  ])
    assert.throws(() => readUrl(url), { code: 'bad_input' }, url);
  for (const url of [
    'example.com',
    '',
    'http://',
    '/etc/passwd',
    'http://exa mple.com',
    `http://a.b/${'x'.repeat(5_000)}`,
  ])
    assert.throws(() => readUrl(url), { code: 'bad_input' }, url);
  for (const url of ['http://user@example.com', 'https://user:secret@example.com', 'http://:secret@example.com'])
    assert.throws(() => readUrl(url), { code: 'forbidden', message: /^(?!.*secret)/ }, url);
  assert.equal(readUrl(' https://例え.jp/ü?q=1#a ').href, 'https://xn--r8jz45g.jp/%C3%BC?q=1#a');
});

test('spellings that hide loopback from a reader do not hide it from the check', () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
  ];
  hosts.push(
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '１２７.０.０.１',
    '127。0。0。1',
    '0',
  );
  for (const host of hosts) assert.equal(goes(`http://${host}/`), false, host);
});

/** One number in the spellings that URL parsers take for an IPv4 address. */
const spellings = (number: number): string[] => {
  const parts = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);
  return [
    parts.join('.'),
    String(number),
    `0x${number.toString(16)}`,
    `0${number.toString(8)}`,
    parts.map((part) => `0x${part.toString(16)}`).join('.'),
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    `${parts[0]}.${number & 0xff_ffff}`,
    `${parts[0]}.${parts[1]}.${number & 0xffff}`,
  ];
};

test('however an address is spelt, the decision is that about the address', () => {
  const special = fc.constantFrom(
    0x7f000001,
    0x0a000001,
    0xa9fea9fe,
    0xc0a80101,
    0xac100001,
    0x64646464,
    0,
    0xffffffff,
  );
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: 0, max: 0xffff_ffff }), special), (number) => {
      const [plain = '', ...others] = spellings(number);
      const expected = addressKind(plain) === 'public';
      for (const spelling of [plain, ...others]) assert.equal(goes(`https://${spelling}/`), expected, spelling);
    }),
    { numRuns: 500 },
  );
});

test('a name counts for the addresses that it has, and one that is not public is one too many', () => {
  assert.equal(goes('https://example.com', [], '93.184.215.14'), true);
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    'fd00::1',
    '::ffff:1.1.1.1',
    '64:ff9b::1',
    '0.0.0.0',
  ])
    assert.equal(goes('https://example.com', [], address), false, address);
  const mixed = ['93.184.215.14', '10.0.0.1'];
  assert.throws(() => checkDestination({ host: 'mixed.test', port: 443 }, mixed, []), {
    code: 'forbidden',
    message: 'mixed.test is not on the public internet, and is not opened in this installation',
  });
});

test('ports that are none of the web stay closed', () => {
  const table = {
    80: true,
    443: true,
    8080: true,
    8443: true,
    22: false,
    25: false,
    2375: false,
    6379: false,
    0: false,
  };
  for (const [port, open] of Object.entries(table)) assert.equal(goes(`http://8.8.8.8:${port}/`), open, port);
  assert.equal(goes('http://8.8.8.8:6379/', ['8.8.8.8:6379']), true);
});

test('what an admin opens is open on its port and nowhere else', () => {
  const table: [string, string[], string | undefined, boolean][] = [
    ['http://127.0.0.1:8888/', ['127.0.0.1:8888'], undefined, true],
    ['http://127.0.0.1:6379/', ['127.0.0.1:8888'], undefined, false],
    ['http://127.0.0.2:8888/', ['127.0.0.1:8888'], undefined, false],
    ['http://2130706433:8888/', ['127.0.0.1:8888'], undefined, true],
    ['http://10.1.2.3/', ['10.0.0.0/8'], undefined, true],
    ['http://10.1.2.3:5432/', ['10.0.0.0/8'], undefined, false],
    ['http://[fd00::5]:8080/', ['fd00::/8'], undefined, true],
    ['http://[::1]:9000/', ['[::1]:9000'], undefined, true],
    ['http://[fd00::5]:9000/', ['[fd00::]/8:9000'], undefined, true],
    ['http://searxng:8080/', ['searxng:8080'], '172.18.0.3', true],
    ['http://SearXNG.:8080/', ['searxng:8080'], '172.18.0.3', true],
    ['http://evil.example:8080/', ['searxng:8080'], '172.18.0.3', false],
    ['http://wiki.lan/', ['172.18.0.3'], '172.18.0.3', true],
    // Never, whatever is opened.
    ['http://searxng:8080/', ['searxng:8080'], '169.254.169.254', false],
    ['http://169.254.169.254/', ['0.0.0.0/0', '169.254.169.254'], undefined, false],
    ['http://100.100.100.200/', ['100.64.0.0/10'], undefined, false],
    ['http://[fd00:ec2::254]/', ['::/0'], undefined, false],
    ['http://[::ffff:127.0.0.1]/', ['127.0.0.1', '::/0'], undefined, false],
    ['http://0.0.0.0/', ['0.0.0.0/0'], undefined, false],
  ];
  for (const [url, entries, address, open] of table)
    assert.equal(goes(url, entries, address), open, `${url} ${entries}`);
});

test('an entry that cannot be understood opens nothing', () => {
  const wrong = [
    '',
    ' ',
    'http://10.0.0.1',
    '10.0.0.1:',
    '10.0.0.1:0',
    '10.0.0.1:70000',
    '10.0.0.0/33',
    '*',
    '*.lan',
    'a b',
  ];
  for (const entry of [
    ...wrong,
    '[10.0.0.1]:80',
    '[::1',
    '0x7f.1',
    '2130706433',
    '127.1',
    'fe80::1%eth0',
    'a..b',
    '-a',
  ])
    assert.equal(parseAllowed(entry), null, entry);
});
