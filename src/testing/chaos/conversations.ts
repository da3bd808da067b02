import type { Crowd } from './crowd.ts';
import { numbersIn } from './set-aside.ts';
import type { Side } from './side.ts';
import type { Conversation } from './verdict.ts';

/** What one platform shows at the end, chat by chat. */
export function conversationsOf(side: Side, { asked }: Crowd): readonly Conversation[] {
  return [...side.shown()].map(([room, shown]) => ({
    asked: asked.get(room) ?? [],
    answers: shown.map(({ text, orphaned }) => ({ numbers: numbersIn(text), orphaned })),
  }));
}
