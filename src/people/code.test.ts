import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newCode, readCode, showCode } from './code.ts';

test('a code is read again however it was written down', () => {
  for (let n = 0; n < 200; n++) {
    const code = newCode();
    assert.match(code, /^[A-HJKMNP-Z2-9]{8}$/);
    assert.equal(readCode(showCode(code)), code);
    assert.equal(readCode(` ${code.toLowerCase().slice(0, 4)} ${code.slice(4)} `), code);
  }
});

test('anything else is no code', () => {
  for (const typed of ['', 'ABCD', 'ABCDEFGHJ', 'ABCD-EFG0', 'ABCDEFGI', '../../..', '阿贝西德阿贝西德'])
    assert.equal(readCode(typed), null, typed);
});
