import type { DocumentConverter } from '../documents/port.ts';
import { askClarification } from './ask-clarification.ts';
import { calculator } from './calculator/index.ts';
import { currentTime } from './current-time.ts';
import { fileTools } from './files/index.ts';
import { createRegistry, type ToolRegistry } from './registry.ts';
import { todoWrite } from './todo-write.ts';
import { workspaceTools } from './workspace/index.ts';

/** The tools that come with Antler. */
export function builtInTools(converter?: DocumentConverter): ToolRegistry {
  return createRegistry([
    currentTime,
    calculator,
    askClarification,
    todoWrite,
    ...fileTools(converter),
    ...workspaceTools,
  ]);
}
