import { asAntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Assistant, RunContext } from '../port.ts';
import { noWorkspaces } from '../sandbox/none.ts';
import type { Workspaces } from '../sandbox/port.ts';
import type { Tool, ToolSource } from './port.ts';
import type { ToolRegistry } from './registry.ts';

/** A registry as a source: what the assistant's list of tools names, and this place has the means for. */
export const registrySource = (
  name: string,
  registry: ToolRegistry,
  workspaces: Pick<Workspaces, 'means'> = noWorkspaces,
): ToolSource => ({
  name,
  tools: async (assistant) => {
    const means = await workspaces.means();
    return registry
      .pick(assistant.tools)
      .filter(
        ({ needs }) => needs === undefined || (means[needs] && (needs !== 'exec' || assistant.sandbox !== false)),
      );
  },
});

/**
 * All of an assistant's tools. Where two sources have one of the same name, that of the earlier source counts. No tool
 * from outside bears a `reserved` name, whether ours is there or not: rules trust those names.
 */
export async function collectTools(
  sources: readonly ToolSource[],
  assistant: Assistant,
  context: RunContext,
  log: Logger,
  reserved: ReadonlySet<string>,
): Promise<readonly Tool[]> {
  const found = await Promise.all(
    sources.map((source) =>
      source.tools(assistant, context).catch((thrown: unknown): readonly Tool[] => {
        const { code, message } = asAntlerError(thrown);
        log.warn({ source: source.name, assistant: assistant.id, code, problem: message }, 'tools are left out');
        return [];
      }),
    ),
  );
  const byName = new Map<string, Tool>();
  for (const [index, tools] of found.entries())
    for (const tool of tools) {
      const isTaken = byName.has(tool.name) || (tool.origin !== undefined && reserved.has(tool.name));
      if (!isTaken) byName.set(tool.name, tool);
      else log.warn({ source: sources[index]?.name, tool: tool.name }, 'a tool is hidden by another one of its name');
    }
  return [...byName.values()];
}
