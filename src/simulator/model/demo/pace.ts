import { type Step, words } from '../script.ts';
import type { DemoReply } from './situation.ts';

/** Makes a demo answer arrive word by word, as from a real model. */
export function paced(reply: DemoReply, wordDelayMs: number): Step {
  if (reply.kind === 'tool') return { parts: [{ kind: 'tool', name: reply.name, arguments: reply.arguments }] };
  return { parts: words(reply.text).map((word) => ({ kind: 'text', text: word, delayMs: wordDelayMs })) };
}
