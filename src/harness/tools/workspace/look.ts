import type { Workspace, WorkspaceEntry } from '../../sandbox/port.ts';

/** Names that hold what machines have made: nobody who looks for something means them. */
const UNINTERESTING: ReadonlySet<string> = new Set([
  ...['.git', '.hg', '.svn', '.idea', '.vscode', '.DS_Store'],
  ...[
    'node_modules',
    'bower_components',
    '.venv',
    'venv',
    '__pycache__',
    '.mypy_cache',
    '.pytest_cache',
    '.ruff_cache',
  ],
  ...['.cache', '.npm', '.local', '.tox', '.gradle', '.next', '.nuxt'],
]);
/** Looked at in one search. */
const MAX_ENTRIES = 20_000;

/** All below a path that somebody may mean, with its path from there. */
export async function interesting(
  workspace: Workspace,
  root: string,
): Promise<readonly (WorkspaceEntry & { readonly from: string })[]> {
  const found = await workspace.list(root, { deep: true, limit: MAX_ENTRIES });
  return found
    .map((entry) => ({ ...entry, from: entry.path.slice(root.length + 1) }))
    .filter(({ from }) => !from.split('/').some((name) => UNINTERESTING.has(name)));
}
