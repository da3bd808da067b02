import type { Tool } from './port.ts';

/** The tools that there are; an assistant gets some of them. */
export interface ToolRegistry {
  /** Those of these names, in the registry's order; `all` stands for every one. Unknown names are skipped. */
  pick(names: readonly string[]): readonly Tool[];
  readonly names: readonly string[];
}

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** @throws Error when two tools share a name or one's name is none that endpoints take: a fault in the code. */
export function createRegistry(tools: readonly Tool[]): ToolRegistry {
  const names = tools.map((tool) => tool.name);
  for (const [index, name] of names.entries()) {
    if (!TOOL_NAME.test(name)) throw new Error(`tool name ${JSON.stringify(name)} is not valid`);
    if (names.indexOf(name) !== index) throw new Error(`two tools are named ${name}`);
  }
  return {
    names,
    pick: (wanted) => (wanted.includes('all') ? tools : tools.filter((tool) => wanted.includes(tool.name))),
  };
}
