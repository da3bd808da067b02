import type { McpServerStatus } from '../../harness/mcp/port.ts';
import { ok, type Verdict, warn } from './check.ts';

/** One that is away takes its own tools away and nothing else, so it is no reason not to run. */
export async function checkMcpServer(probe: () => Promise<McpServerStatus | null>): Promise<Verdict> {
  const status = await probe();
  if (status === null)
    return ok('not tried from here, which would use up its refresh token: see /api/v1/operations/mcp-servers');
  if (status.state !== 'connected') return warn(status.problem ?? 'it cannot be reached');
  return ok(status.tools === 1 ? '1 tool' : `${status.tools} tools`);
}
