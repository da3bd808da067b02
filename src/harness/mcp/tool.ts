import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import { AntlerError } from '../../base/errors.ts';
import type { Tool } from '../tools/port.ts';
import type { McpServer } from './server.ts';

const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 1_024;
const MAX_SCHEMA_CHARS = 20_000;

/** A tool as the model is told of it: `<server>_<tool>`, in the characters that endpoints take. */
export function toolName(server: string, tool: string): string {
  return `${server}_${tool}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME_CHARS);
}

/**
 * What a server offers as a tool of ours. Null when endpoints would refuse its description: that one tool is missing
 * then, and no other.
 */
export function toolOf(server: McpServer, offered: McpTool): Tool | null {
  const schema: unknown = offered.inputSchema;
  if (!isObjectSchema(schema) || JSON.stringify(schema).length > MAX_SCHEMA_CHARS) return null;
  const { $schema: _, ...parameters } = schema;
  return {
    name: toolName(server.config.name, offered.name),
    description: (offered.description ?? offered.title ?? offered.name).slice(0, MAX_DESCRIPTION_CHARS).toWellFormed(),
    parameters: { ...parameters, properties: parameters.properties ?? {} },
    trust: 'remote',
    origin: server.config.name,
    timeoutMs: server.config.callTimeoutMs + 1_000,
    call: async (args, _context, signal) => {
      if (typeof args !== 'object' || args === null || Array.isArray(args))
        throw new AntlerError('bad_input', 'the arguments must be an object');
      const result = await server.call(offered.name, args as Record<string, unknown>, signal);
      const text = textOf(result);
      if (result.isError === true) throw new AntlerError('bad_input', text === '' ? 'the tool failed' : text);
      return text;
    },
  };
}

function isObjectSchema(schema: unknown): schema is Record<string, unknown> {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'object';
}

/** What of a result the model can read; of everything else it learns that it is there. */
function textOf({ content = [], structuredContent }: CallToolResult): string {
  const parts = content.map((part) => {
    switch (part.type) {
      case 'text':
        return part.text;
      case 'image':
      case 'audio':
        return `[${part.type}, ${part.mimeType}]`;
      case 'resource':
        return 'text' in part.resource ? part.resource.text : `[file ${part.resource.uri}]`;
      case 'resource_link':
        return `[link ${part.name}: ${part.uri}]`;
      default:
        return '[something that cannot be shown]';
    }
  });
  if (parts.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent);
  return parts.join('\n');
}
