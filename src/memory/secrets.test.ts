import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOffRecord, saysNothing } from './off-record.ts';
import { holdsSecret } from './secrets.ts';

const secret = [
  'my password is hunter2',
  'Password: correct horse battery',
  'The Wi-Fi pwd = abc123',
  'PIN 4711',
  'her pin is 0000',
  '我的密码是 abc123',
  '密码：春天',
  '验证码 839201',
  '银行口令为芝麻开门',
  'The api_key=abcdef123',
  'uses the token: xyz-1',
  // Written in two pieces, so that scanners of this repository do not take them for real ones.
  `the key is ${'sk-'}proj-abcdEFGH1234abcdEFGH`,
  `${'gh'}p_abcdefghijklmnopqrst1234`,
  `${'xo'}xb-123456789-abcdefghij`,
  `${'AK'}IAABCDEFGHIJKLMNOP`,
  `${'ey'}JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc`,
  `-----BEGIN ${'OPENSSH'} PRIVATE KEY-----`,
  'postgres://ann:geheim@db/antler',
  'Authorization: Bearer abcdef0123456789abcdef',
  'card 4111 1111 1111 1111',
  '卡号 4111-1111-1111-1111',
  '4111111111111111',
  '身份证 11010519491231002X',
  'SSN 078-05-1120',
  'seed phrase: witch collapse practice feed shame',
  'r4nd0mLooking0Value1234ABCDxyz',
  'ｐａｓｓｗｏｒｄ： ｈｕｎｔｅｒ２',
];

const fine = [
  'Forgot the password once and was annoyed',
  'Prefers password managers',
  'Works on a token economy',
  'Has 3 children and 2 dogs',
  'Was born on 1990-04-12',
  'Lives in 10115 Berlin, tel. 030 1234567',
  'Phone number +49 170 1234567',
  'Order 4111 1111 1111 1112 was late',
  'Likes pins and needles',
  '喜欢研究密码学',
  '每天早上 7 点跑步',
  'Uses https://example.com/a/b?c=d every day',
  'Works with a very_long_identifier_without_any_digits',
  'Earns 1234567890123456 points',
  '',
];

test('passwords, keys, codes, and numbers of cards and identities are seen, in both languages', () => {
  assert.deepEqual(
    secret.filter((text) => !holdsSecret(text)),
    [],
  );
});

test('what only speaks of such things, and other numbers, may be remembered', () => {
  assert.deepEqual(fine.filter(holdsSecret), []);
});

test('no text, however long and made for it, keeps anybody looking for secrets for long', () => {
  const pieces = ['4', 'aA1', 'a:', ' 1-', 'x//', '密码'];
  const begun = performance.now();
  for (const length of [2_000, 200_000])
    for (const piece of pieces) holdsSecret(piece.repeat(length / piece.length).slice(0, length));
  assert.ok(performance.now() - begun < 1_000);
  assert.equal(holdsSecret('a'.repeat(2_001)), true, 'nobody has looked at all of it');
});

test('who does not want something remembered is understood, and who speaks of remembering is not mistaken', () => {
  const off = [
    "don't remember this",
    'Please do not save that I was there',
    'this is off the record',
    'forget what I said',
    'I was wrong, please forget that',
    '不要记住这个',
    '别记住',
    '这句别记',
    '忘了我刚才说的',
  ];
  const on = [
    'remember that I like tea',
    'I do not like tea',
    '请记住我喜欢茶',
    'I never forget a face',
    'I forget things',
    'I will never forget that trip',
  ];
  assert.deepEqual(
    off.filter((text) => !isOffRecord(text)),
    [],
  );
  assert.deepEqual(on.filter(isOffRecord), []);
});

test('thanks and greetings say nothing, in any number; a short fact does', () => {
  const nothing = ['ok', 'OK thanks!', '好的，谢谢', '👍', '...', 'hi hello', '嗯嗯'];
  assert.deepEqual(
    nothing.filter((text) => !saysNothing(text)),
    [],
  );
  assert.deepEqual(['I sing', '我姓王', 'no tea', '42'].filter(saysNothing), []);
});
