import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { silentLogger } from '../../base/logger.ts';
import { openStore } from '../../store/index.ts';
import type { Settings } from '../../store/port.ts';

/** A folder that is gone after the test. */
export function folderForTests(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'antler-admin-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The settings of a real, fresh database. */
export async function settingsForTests(t: TestContext): Promise<Settings> {
  const folder = mkdtempSync(join(tmpdir(), 'antler-admin-'));
  const store = await openStore({ file: join(folder, 'antler.db'), log: silentLogger });
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store.settings;
}
