import type { SubagentType } from './port.ts';

/** What a type has that says nothing else. */
const TYPE_DEFAULTS = { maxSteps: 50, maxRunTokens: 500_000, timeoutMs: 15 * 60_000 } as const;

const general: SubagentType = {
  name: 'general',
  description: 'research and work of several steps with all tools',
  soul: '',
  tools: ['all'],
  ...TYPE_DEFAULTS,
};

const shell: SubagentType = {
  name: 'shell',
  description: 'work with commands and files whose output is long: builds, conversions, data',
  soul: 'You work in the shell. Keep output short (filter, count, head), check that a command did what it should, and report what you did, what came of it and where files lie.',
  tools: ['shell', 'read_file', 'write_file', 'append_file', 'replace_in_file', 'list_files', 'glob', 'grep'],
  ...TYPE_DEFAULTS,
};

/** The types that an assistant can choose from. `canExec`: commands can be run. */
export function typesFor(custom: readonly SubagentType[], canExec: boolean): readonly SubagentType[] {
  const builtIn = [general, ...(canExec ? [shell] : [])];
  return [...builtIn.filter(({ name }) => custom.every((type) => type.name !== name)), ...custom];
}
