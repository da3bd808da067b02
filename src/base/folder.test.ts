import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AntlerError } from './errors.ts';
import { makeFolder } from './folder.ts';
import { makePrivateFile } from './private-file.ts';

const root = mkdtempSync(join(tmpdir(), 'antler-folder-'));
after(() => rmSync(root, { recursive: true, force: true }));
const mode = (path: string): number => statSync(path).mode & 0o777;

function refusal(path: string): string {
  try {
    makeFolder(path);
  } catch (error) {
    assert.ok(error instanceof AntlerError);
    assert.equal(error.code, 'config_invalid');
    return error.message;
  }
  return assert.fail('it was made');
}

test('a folder is made with those above it, for its owner only, and may be there already', () => {
  makeFolder(join(root, 'a/b/c'));
  makeFolder(join(root, 'a/b/c'));
  assert.deepEqual([mode(join(root, 'a')), mode(join(root, 'a/b/c'))], [0o700, 0o700]);
});

test(
  'a data folder on a virtual file system is refused instead of tried for ever',
  {
    skip: !existsSync('/proc/self') && 'there is no /proc here',
  },
  () => assert.match(refusal('/proc/x/y'), /^The folder \/proc\/x\/y cannot be made: .+\. Set data_dir /),
);

test('a file in the place of a folder is told in a sentence', () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  const advice = 'Set data_dir (or ANTLER_DATA_DIR) to a folder that Antler may write.';
  assert.equal(refusal(file), `The folder ${file} cannot be made: something else of that name is there. ${advice}`);
  assert.match(refusal(join(file, 'x')), /cannot be made: something else of that name is there|something above it/);
});

test('a private file is readable by its owner only, and what is in it stays', () => {
  const file = join(root, 'secret.db');
  makePrivateFile(file);
  assert.equal(mode(file), 0o600);
  writeFileSync(file, 'kept');
  makePrivateFile(file);
  assert.equal(readFileSync(file, 'utf8'), 'kept');
});
