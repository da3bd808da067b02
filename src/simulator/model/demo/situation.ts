import { isRecord, type ToolDefinition } from '../wire.ts';
import type { Conversation } from './conversation.ts';
import { type TextName, textIn } from './texts.ts';

export type DemoReply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };

export interface Situation {
  readonly conversation: Conversation;
  readonly tools: readonly ToolDefinition[];
  /** The name to address the speaker by. */
  readonly name: string | undefined;
}

/** Says one of its texts. */
export const say = (
  { conversation }: Situation,
  text: TextName,
  values: Readonly<Record<string, string>> = {},
): DemoReply => ({
  kind: 'text',
  text: textIn(conversation.language, text, values),
});

/** Calls a tool when the assistant has it; the argument goes under the name that the tool declares. */
export function call(situation: Situation, tool: string, argument?: readonly [name: string, value: string]): DemoReply {
  const definition = situation.tools.find(({ name }) => name === tool);
  if (definition === undefined) return say(situation, 'noTool', { tool });
  if (argument === undefined) return { kind: 'tool', name: tool, arguments: {} };
  const properties = isRecord(definition.parameters.properties) ? Object.keys(definition.parameters.properties) : [];
  const [name, value] = argument;
  const declared = properties.includes(name) ? name : (properties[0] ?? name);
  return { kind: 'tool', name: tool, arguments: { [declared]: value } };
}
