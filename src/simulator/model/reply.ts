import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part, Step } from './script.ts';
import type { ChatRequest, Usage, WireToolCall } from './wire.ts';

export interface ReplyContext {
  readonly request: ChatRequest;
  /** Unique among the replies of this server. */
  readonly id: string;
  /** Aborts when the caller hung up or the server stops. */
  readonly signal: AbortSignal;
}

type Reply = Extract<Step, { parts: readonly Part[] }>;

/** Four characters a token, as a rule of thumb. */
const tokens = (characters: number): number => Math.ceil(characters / 4);

function usageOf({ messages }: ChatRequest, reply: Reply): Usage {
  if (reply.usage !== undefined) return reply.usage;
  const prompt = tokens(messages.reduce((sum, { text }) => sum + (text?.length ?? 0), 0));
  const completion = tokens(reply.parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 8), 0));
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

const hasTools = ({ parts }: Reply): boolean => parts.some(({ kind }) => kind === 'tool');
const finishOf = (reply: Reply): string => reply.finish ?? (hasTools(reply) ? 'tool_calls' : 'stop');
const asJson = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Writes a reply as server-sent events, the way the API streams. */
export async function streamReply(response: ServerResponse, reply: Reply, context: ReplyContext): Promise<void> {
  const { request, id, signal } = context;
  const head = { id, object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1000), model: request.model };
  const write = (data: object): void => void response.write(`data: ${JSON.stringify(data)}\n\n`);
  const delta = (value: object, finish: string | null = null): void =>
    write({ ...head, choices: [{ index: 0, delta: value, finish_reason: finish }] });
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  delta({ role: 'assistant', content: '' });
  let calls = 0;
  for (const part of reply.parts) {
    switch (part.kind) {
      case 'text':
      case 'reasoning':
        if (part.delayMs !== undefined && part.delayMs > 0) await sleep(part.delayMs, undefined, { signal });
        delta(part.kind === 'text' ? { content: part.text } : { reasoning_content: part.text });
        break;
      case 'tool': {
        const written = asJson(part.arguments);
        const half = written.length >> 1;
        const called = { name: part.name, arguments: '' };
        delta({
          tool_calls: [{ index: calls, id: part.id ?? `call_${id}_${calls}`, type: 'function', function: called }],
        });
        for (const piece of [written.slice(0, half), written.slice(half)])
          if (piece !== '') delta({ tool_calls: [{ index: calls, function: { arguments: piece } }] });
        calls += 1;
        break;
      }
      case 'wait':
        await sleep(part.ms, undefined, { signal });
        break;
      case 'chunk':
        write(part.chunk);
        break;
      case 'bytes':
        response.write(part.bytes);
        break;
      case 'error':
        write({ error: part.error });
        response.end();
        return;
      case 'cut':
        // What was written must leave first: it is the point of a broken stream that something came.
        response.write('', () => response.destroy());
        return;
      case 'end':
        response.end();
        return;
      case 'hang':
        return;
      default:
        part satisfies never;
    }
  }
  delta({}, finishOf(reply));
  if (request.includeUsage) write({ ...head, choices: [], usage: usageOf(request, reply) });
  response.end('data: [DONE]\n\n');
}

/** Writes a reply in one piece. */
export async function completeReply(response: ServerResponse, reply: Reply, context: ReplyContext): Promise<void> {
  const { request, id, signal } = context;
  const said = { text: '', reasoning: '' };
  const calls: WireToolCall[] = [];
  for (const part of reply.parts) {
    if (part.kind === 'cut') {
      response.destroy();
      return;
    }
    if (part.kind === 'hang') return;
    if (part.kind === 'error') {
      sendJson(response, 500, { error: part.error });
      return;
    }
    if (part.kind === 'wait') await sleep(part.ms, undefined, { signal });
    else if (part.kind === 'text' || part.kind === 'reasoning') said[part.kind] += part.text;
    else if (part.kind === 'tool') {
      const called = { name: part.name, arguments: asJson(part.arguments) };
      calls.push({ id: part.id ?? `call_${id}_${calls.length}`, type: 'function', function: called });
    }
  }
  const message = {
    role: 'assistant',
    content: said.text === '' ? null : said.text,
    ...(said.reasoning === '' ? {} : { reasoning_content: said.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  sendJson(response, 200, {
    id,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    choices: [{ index: 0, message, finish_reason: finishOf(reply) }],
    usage: usageOf(request, reply),
  });
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed || response.writableEnded) return;
  const body = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
