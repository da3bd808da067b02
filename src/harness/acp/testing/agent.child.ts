import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';

/** A real agent on standard input and output, which does what the first word of its prompt says. */

type Prompt = acp.AgentRequestContext<acp.PromptRequest>;

const cancelled = new Set<string>();

async function say({ client, params }: Prompt, text: string): Promise<void> {
  await client.notify(acp.methods.client.session.update, {
    sessionId: params.sessionId,
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
  });
}

async function ask({ client, params }: Prompt, kind: acp.ToolKind, command: string): Promise<boolean> {
  const { outcome } = await client.request(acp.methods.client.session.requestPermission, {
    sessionId: params.sessionId,
    toolCall: { toolCallId: `t${Math.random()}`, kind, title: 'Run a command', rawInput: { command } },
    options: [
      { optionId: 'always', name: 'Always', kind: 'allow_always' },
      { optionId: 'once', name: 'Once', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  });
  return outcome.outcome === 'selected' && outcome.optionId === 'once';
}

async function act(prompt: Prompt, word: string, rest: string): Promise<acp.StopReason> {
  const { client, params } = prompt;
  switch (word) {
    case 'environment':
      await say(prompt, JSON.stringify({ ...process.env, cwd: process.cwd() }));
      return 'end_turn';
    case 'write':
      writeFileSync(rest, 'written');
      await say(prompt, `files: ${readdirSync('.').join(', ')}`);
      return 'end_turn';
    case 'work':
      await client.notify(acp.methods.client.session.update, {
        sessionId: params.sessionId,
        update: { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'Reads\nthe report', kind: 'read' },
      });
      await say(prompt, 'The report ');
      await say(prompt, 'is fine.');
      return 'end_turn';
    case 'read':
    case 'execute':
      await say(prompt, (await ask(prompt, word, rest)) ? `did ${rest}` : `did not ${rest}`);
      return 'end_turn';
    case 'long':
      await say(prompt, `BEGIN${'x'.repeat(50_000)}END`);
      return 'end_turn';
    case 'refuse':
      return 'refusal';
    case 'child': {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      writeFileSync('pid', String(child.pid));
      await say(prompt, 'started');
      return await new Promise(() => {});
    }
    case 'wait':
      await say(prompt, 'waiting');
      while (!cancelled.has(params.sessionId)) await new Promise((resolve) => setTimeout(resolve, 10));
      writeFileSync('cancelled', '');
      return 'cancelled';
    case 'die':
      return process.exit(3);
    default:
      throw acp.RequestError.internalError();
  }
}

acp
  .agent({ name: 'tried' })
  .onRequest(acp.methods.agent.initialize, () => ({ protocolVersion: acp.PROTOCOL_VERSION }))
  .onRequest(acp.methods.agent.session.new, () => ({ sessionId: 's1' }))
  .onRequest(acp.methods.agent.session.prompt, async (prompt) => {
    const [block] = prompt.params.prompt;
    const [word = '', ...rest] = (block?.type === 'text' ? block.text : '').split(' ');
    return { stopReason: await act(prompt, word, rest.join(' ')) };
  })
  .onNotification(acp.methods.agent.session.cancel, ({ params }) => void cancelled.add(params.sessionId))
  .connect(
    acp.ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as unknown as ReadableStream<Uint8Array>,
    ),
  );
