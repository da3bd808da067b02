import type { WorkspaceEntry } from '../port.ts';
import type { HeldFolder } from './held-folder.ts';

/** Looked at in one folder; more is not worth sorting. */
const MAX_ENTRIES = 10_000;
const MAX_DEPTH = 32;

/** What lies in a folder, sorted by path, depth first where it is deep. */
export async function list(
  folder: HeldFolder,
  path: string,
  { deep, limit }: { readonly deep: boolean; readonly limit: number },
  depth = 0,
): Promise<WorkspaceEntry[]> {
  const names: string[] = [];
  for await (const { name } of folder.entries()) if (names.push(name) >= MAX_ENTRIES) break;
  const found: WorkspaceEntry[] = [];
  for (const name of names.sort()) {
    if (found.length >= limit) break;
    const entry = await look(folder, name, `${path}/${name}`);
    if (entry === null) continue;
    found.push(entry);
    if (!deep || entry.kind !== 'folder' || depth >= MAX_DEPTH) continue;
    const inner = await folder.enter(name).catch(() => null); // replaced just now
    if (inner === null) continue;
    try {
      const rest = { deep, limit: limit - found.length };
      if (rest.limit > 0) found.push(...(await list(inner, entry.path, rest, depth + 1)));
    } finally {
      await inner.close();
    }
  }
  return found;
}

/** Null for what went away meanwhile, and for what is neither file, folder nor link. */
async function look(folder: HeldFolder, name: string, path: string): Promise<WorkspaceEntry | null> {
  const stats = await folder.lstat(name).catch(() => null);
  if (stats === null) return null;
  const kind = stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : null;
  if (kind === null) return null;
  return { path, kind, bytes: kind === 'file' ? stats.size : 0, changedAt: stats.mtimeMs };
}
