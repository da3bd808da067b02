import { AntlerError } from '../../base/errors.ts';
import type { ToolCall } from '../log.ts';
import { parseArguments } from '../transcript/arguments.ts';
import type { Tool, ToolContext } from './port.ts';

/**
 * Runs the tool that a call names, within its time and until `signal` aborts, whether the tool heeds that or not.
 * @throws AntlerError `not_found` (no such tool), `bad_input` (arguments), `timeout`, `cancelled`; whatever the tool
 * throws.
 */
export async function runTool(
  tools: readonly Tool[],
  call: ToolCall,
  context: ToolContext,
  signal: AbortSignal,
): Promise<string> {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) throw new AntlerError('not_found', noSuchTool(tools, call.name));
  const args = parseArguments(call.arguments);
  if (!args.ok) throw new AntlerError('bad_input', args.problem);

  if (signal.aborted) throw new AntlerError('cancelled', 'stopped');
  const stop = new AbortController();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const end = (error: AntlerError): void => {
    reject(error);
    stop.abort(error);
  };
  const cancel = (): void => end(new AntlerError('cancelled', 'stopped'));
  const timer = setTimeout(
    () => end(new AntlerError('timeout', `${tool.name} gave no result within ${tool.timeoutMs / 1000} s.`)),
    tool.timeoutMs,
  );
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([stopped, tool.call(args.value, context, stop.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function noSuchTool(tools: readonly Tool[], name: string): string {
  const names = tools.map((tool) => tool.name).join(', ');
  return `there is no tool named ${JSON.stringify(name.slice(0, 64))}; there are: ${names === '' ? 'none' : names}.`;
}
