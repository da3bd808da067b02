import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encrypt } from '@wecom/crypto';
import { encryptBytes } from '../../../src/simulator/wecom/crypto.ts';
import { claimOf, opened, sealed } from './envelope.ts';
import { decryptMedia, encryptedSize } from './media.ts';

/** The vectors of WeCom's own sample code. https://developer.work.weixin.qq.com/document/path/90307 */
const TOKEN = 'QDG6eK';
const AES_KEY = 'jWmYm7qr5nMoAUwZRjGtBxmz3KA1tkAj3ykkR6q2B2C';
const CORP = 'wx5823bf96d3bd56c7';
const secrets = { token: TOKEN, aesKey: AES_KEY, receiver: CORP };
const ECHO = 'P9nAzCzyDtyTWESHep1vC5X9xho/qYX3Zpb4yKa9SKld1DsH3Iyt3tP3zNdtp+4RPcs8TgAE7OaBO+FZXvnaqQ==';
const echoClaim = {
  signature: '5c45ff5e21c57e6ad56bac8758b79b1d9ac89fd3',
  timestamp: '1409659589',
  nonce: '263014780',
};
const MESSAGE =
  'RypEvHKD8QQKFhvQ6QleEB4J58tiPdvo+rtK1I9qca6aM/wvqnLSV5zEPeusUiX5L5X/0lWfrf0QADHHhGd3QczcdCUpj911L3vg3W/sYYvuJTs3TUUkSUXxaccAS0qhxchrRYt66wiSpGLYL42aM6A8dTT+6k4aSknmPj48kzJs8qLjvd4Xgpue06DOdnLxAUHzM6+kDZ+HMZfJYuR+LtwGc2hgf5gsijff0ekUNXZiqATP7PF5mZxZ3Izoun1s4zG4LUMnvw2r+KqCKIw+3IQH03v+BCA9nMELNqbSf6tiWSrXJB3LAVGUcallcrw8V2t9EL4EhzJWrQUax5wLVMNS0+rUPA3k22Ncx4XXZS9o0MBH27Bo6BpNelZpS+/uh9KsNlY6bHCmJU9p8g7m3fVKn28H3KDYA5Pl/T8Z1ptDAVe0lXdQ2YoyyH2uyPIGHBZZIs2pDBS8R07+qN+E7Q==';
const messageClaim = {
  signature: '477715d11cdb4164915debcba66cb864d751f3e6',
  timestamp: '1409659813',
  nonce: '1372623149',
};

test('WeCom’s published look at an address opens to its plain text', () => {
  assert.equal(opened(ECHO, echoClaim, secrets), '1616140317555161061');
});

test('WeCom’s published message opens', () => {
  assert.match(opened(MESSAGE, messageClaim, secrets), /<Content><!\[CDATA\[hello\]\]><\/Content>/);
});

test('one wrong letter in the signature, the text or the time, and nothing opens', () => {
  const refused = { name: 'AntlerError', code: 'unauthorized' };
  const cases = [
    [MESSAGE, { ...messageClaim, signature: messageClaim.signature.replace('4', '5') }],
    [MESSAGE, { ...messageClaim, signature: '' }],
    [MESSAGE, { ...messageClaim, timestamp: '1409659814' }],
    [MESSAGE, { ...messageClaim, nonce: '1372623148' }],
    [MESSAGE.replace('R', 'S'), messageClaim],
    ['', messageClaim],
    [ECHO, messageClaim],
  ] as const;
  for (const [text, claim] of cases) assert.throws(() => opened(text, claim, secrets), refused);
});

test('what is signed rightly but meant for another company does not open', () => {
  for (const receiver of ['wx5823bf96d3bd56c8', '', `${CORP} `, 'WX5823BF96D3BD56C7'])
    assert.throws(() => opened(MESSAGE, messageClaim, { ...secrets, receiver }), { code: 'unauthorized' });
});

test('with a wrong key nothing opens, though decrypting it yields something', () => {
  const aesKey = 'A'.repeat(43);
  assert.throws(() => opened(MESSAGE, messageClaim, { ...secrets, aesKey }), { code: 'unauthorized' });
});

test('a wrong EncodingAESKey of an AI bot goes unnoticed: its address is answered with noise, its messages with 400', () => {
  const bot = { ...secrets, receiver: '' };
  for (let size = 0; size < 200; size++) {
    const answer = { text: 'é'.repeat(size) };
    const {
      encrypt: text,
      msgsignature: signature,
      timestamp,
      nonce,
    } = sealed(answer, { nonce: 'n' }, bot, size * 1e6);
    const claim = { signature, timestamp: String(timestamp), nonce };
    assert.deepEqual(JSON.parse(opened(text, claim, bot)), answer);
    for (const aesKey of ['A'.repeat(43), `${AES_KEY.slice(0, -3)}abc`, `k${AES_KEY.slice(1)}`])
      assert.throws(() => opened(text, claim, { ...bot, aesKey }), { code: 'unauthorized' });
  }
});

test('an answer to an AI bot’s callback opens again, for an empty receiver', () => {
  const bot = { ...secrets, receiver: '' };
  const {
    encrypt: text,
    msgsignature,
    timestamp,
    nonce,
  } = sealed({ 谢: '谢' }, { nonce: 'n' }, bot, 1_700_000_000_500);
  assert.equal(timestamp, 1_700_000_000);
  const claim = { signature: msgsignature, timestamp: String(timestamp), nonce };
  assert.deepEqual(JSON.parse(opened(text, claim, bot)), { 谢: '谢' });
  assert.throws(() => opened(encrypt(AES_KEY, 'x', CORP), claim, bot), { code: 'unauthorized' });
});

test('a claim that lacks a part, has one twice, or is not of now is none', () => {
  const now = 1_409_659_813_000;
  const full = { msg_signature: 'a', timestamp: '1409659813', nonce: 'b' };
  const query = (parts: Record<string, string>) => new URLSearchParams(parts);
  assert.ok(claimOf(query(full), now) !== undefined);
  for (const missing of Object.keys(full)) {
    assert.equal(claimOf(query({ ...full, [missing]: '' }), now), undefined);
    const twice = query(full);
    twice.append(missing, '1409659813');
    assert.equal(claimOf(twice, now), undefined);
  }
  for (const timestamp of ['1409656213', '1409663413', 'now', '-1', '1e9', '14096598130000'])
    assert.equal(claimOf(query({ ...full, timestamp }), now), undefined, timestamp);
});

test('files are decrypted whatever their size, with a key that has lost its padding', () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  for (const size of [0, 1, 15, 16, 17, 31, 32, 33, 1_000]) {
    const content = Buffer.alloc(size, 9);
    const bytes = encryptBytes(content, key);
    assert.ok(bytes.length <= encryptedSize(size));
    for (const given of [key, key.replace('=', '')]) assert.deepEqual(decryptMedia(bytes, given), content);
  }
  const other = Buffer.alloc(32, 8).toString('base64');
  assert.throws(() => decryptMedia(encryptBytes(Buffer.from('x'), key), other), { code: 'not_found' });
  assert.throws(() => decryptMedia(Buffer.from('too short'), key), { code: 'not_found' });
});
