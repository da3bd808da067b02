import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { FolderWorkspaces } from '../sandbox/folder/index.ts';
import type { Workspace } from '../sandbox/port.ts';

/** Workspaces in a folder that is gone after the test. */
export function newWorkspaces(t: Pick<TestContext, 'after'>, maxBytes = 10_000_000): FolderWorkspaces {
  const base = mkdtempSync(join(tmpdir(), 'antler-workspaces-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  return new FolderWorkspaces({ base, maxBytes, clock: systemClock });
}

export const newWorkspace = (t: Pick<TestContext, 'after'>): Promise<Workspace> =>
  newWorkspaces(t).open({ owner: 'telegram//7', assistantId: 'lead' });
