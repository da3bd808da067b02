import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Company, countedAttempts, isSuspect } from './company.ts';

test('who wants to be alone waits until the others have left, and nobody joins meanwhile', async () => {
  const company = new Company();
  let opened = 0;
  company.onOpen(() => opened++);
  const [one, other] = [company.join(), company.join()];
  const waiting = company.joinAlone();
  assert.deepEqual([company.isOpen, company.join(), await company.joinAlone()], [false, null, null]);
  one?.();
  other?.();
  const leave = await waiting;
  assert.deepEqual([leave !== null, company.isOpen, opened], [true, false, 0]);
  leave?.();
  assert.deepEqual([company.isOpen, opened], [true, 1]);
  assert.notEqual(company.join(), null);
});

test('while a long run stays, the others are not kept out for ever', async () => {
  const company = new Company();
  company.join();
  let opened = 0;
  company.onOpen(() => opened++);
  assert.equal(await company.joinAlone(1), null);
  assert.deepEqual([company.isOpen, opened], [true, 1]);
});

test('nobody waits to be alone in a process that ends', async () => {
  const company = new Company();
  company.join();
  const waiting = company.joinAlone();
  company.dismiss();
  assert.equal(await waiting, null);
  assert.equal(await company.joinAlone(), null);
});

test('crashes in company make a turn suspect, and do not count; one that was alone does', () => {
  const innocent = { attempt: 0, excused: 0, guilty: null };
  const table: [Parameters<typeof isSuspect>[0], number, boolean, number][] = [
    [innocent, 5, false, 0],
    [{ attempt: 1, excused: 1, guilty: null }, 5, false, 0],
    [{ attempt: 2, excused: 2, guilty: null }, 5, true, 0],
    [{ attempt: 4, excused: 1, guilty: null }, 5, false, 3],
    [{ attempt: 1, excused: 1, guilty: null }, 2, true, 0],
    [{ attempt: 1, excused: 1, guilty: null }, 1, true, 0],
    [{ attempt: 3, excused: 0, guilty: 'run' }, 5, true, 3],
  ];
  for (const [record, most, suspect, counted] of table)
    assert.deepEqual([isSuspect(record, most), countedAttempts(record)], [suspect, counted], JSON.stringify(record));
});
