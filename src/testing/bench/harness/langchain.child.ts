import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import * as langchain from 'langchain';
import { z } from 'zod';
import { serveOrders } from './measured.ts';
import {
  ANSWER,
  argumentsOf,
  CONTEXT_WINDOW,
  conversation,
  type Message,
  OTHER_TOOLS,
  QUESTION,
  resultOf,
  STEPS,
  SYSTEM,
  TOOL,
} from './scenario.ts';

/** Which agent is measured: `bare`, with `middlewares`, or with these and a `checkpointer` that keeps the log. */
const variant = process.argv[2] ?? 'checkpointer';

class ScriptedModel extends BaseChatModel {
  constructor() {
    super({});
  }

  _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const step = messages.filter((one) => ToolMessage.isInstance(one) && one.tool_call_id.startsWith('s_')).length;
    const call = { id: `s_${step}`, name: TOOL, args: JSON.parse(argumentsOf(step)), type: 'tool_call' as const };
    const message = step === STEPS ? new AIMessage(ANSWER) : new AIMessage({ content: '', tool_calls: [call] });
    return { generations: [{ text: message.text, message }] };
  }
}

/** What is used of it, since its own types are not written for strict optional properties. */
interface Agents {
  createAgent(options: object): { invoke(state: object, config: object): Promise<{ messages: BaseMessage[] }> };
  tool(run: (args: { what: string }) => string, options: object): object;
  contextEditingMiddleware(): object;
  dynamicSystemPromptMiddleware(prompt: () => string): object;
  modelCallLimitMiddleware(options: object): object;
  modelRetryMiddleware(): object;
  summarizationMiddleware(options: object): object;
  todoListMiddleware(): object;
  toolCallLimitMiddleware(options: object): object;
  toolRetryMiddleware(): object;
}
const agents = langchain as unknown as Agents;

const schema = z.object({ what: z.string(), limit: z.number().int().max(50) });
const tools = [TOOL, ...Array.from({ length: OTHER_TOOLS }, (_, index) => `${TOOL}_${index}`)].map((name) =>
  agents.tool(({ what }) => resultOf(what), {
    name,
    description: 'Looks something up in the records of the company.',
    schema,
  }),
);

const model = new ScriptedModel();
/** Langchain's own, those nearest to what Antler's chain does; none of their limits is reached. */
const middleware = () => [
  agents.summarizationMiddleware({ model, trigger: { tokens: CONTEXT_WINDOW }, keep: { messages: 20 } }),
  agents.contextEditingMiddleware(),
  agents.dynamicSystemPromptMiddleware(() => SYSTEM),
  agents.todoListMiddleware(),
  agents.modelCallLimitMiddleware({ runLimit: STEPS + 5 }),
  agents.toolCallLimitMiddleware({ runLimit: STEPS + 5 }),
  agents.modelRetryMiddleware(),
  agents.toolRetryMiddleware(),
];

function messageOf(message: Message): BaseMessage {
  switch (message.role) {
    case 'user':
      return new HumanMessage(message.text);
    case 'assistant':
      return new AIMessage(message.text);
    case 'call':
      return new AIMessage({
        content: '',
        tool_calls: [{ id: message.id, name: TOOL, args: JSON.parse(message.text), type: 'tool_call' }],
      });
    case 'result':
      return new ToolMessage({ tool_call_id: message.id, name: TOOL, content: message.text });
    default:
      return message satisfies never;
  }
}

serveOrders((messages) => {
  const state = { messages: [...conversation(messages).map(messageOf), new HumanMessage(QUESTION)] };
  return async () => {
    const agent = agents.createAgent({
      model,
      tools,
      systemPrompt: SYSTEM,
      ...(variant === 'bare' ? {} : { middleware: middleware() }),
      ...(variant === 'checkpointer' ? { checkpointer: new MemorySaver() } : {}),
    });
    const ended = await agent.invoke(state, { recursionLimit: 1_000, configurable: { thread_id: 't' } });
    if (ended.messages.at(-1)?.text !== ANSWER) throw new Error('the run went wrong');
  };
}, STEPS);
