import { createHash } from 'node:crypto';
import { type Language, say } from '../base/sentences.ts';
import type { InboundMessage } from '../channel/message.ts';
import { stateWord } from './card.ts';
import type { Task } from './port.ts';

/** What a task hears once all its parts are over: what came of each, as material, since others' words are in it. */
export function partsMessage(parent: Task, parts: readonly Task[], now: number): InboundMessage {
  const { message, chat, language } = parent;
  const { quote: _, ...asked } = message;
  return {
    ...asked,
    chat: { ...message.chat, id: chat },
    id: `parts-${partsKey(parts)}`,
    sentAt: now,
    text: say(language, 'task_parts_over'),
    files: [],
    quote: { fromBot: true, text: parts.map((part) => resultOf(part, language)).join('\n\n'), files: [] },
  };
}

const resultOf = (part: Task, language: Language): string =>
  `# ${part.title} — ${stateWord(part, language)}\n${part.summary ?? ''}`.trim();

/** The same for the same ends of the same parts. */
export const partsKey = (parts: readonly Task[]): string =>
  createHash('sha256')
    .update(
      parts
        .map(({ id, version }) => `${id} ${version}`)
        .toSorted()
        .join('\n'),
    )
    .digest('hex')
    .slice(0, 16);
