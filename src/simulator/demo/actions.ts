import { z } from 'zod';
import { AntlerError } from '../../base/errors.ts';
import type { Message, TelegramSimulator } from '../telegram/index.ts';
import type { Cast, Pane } from './cast.ts';

const maxTextUtf16 = 4096;
const text = z.string().trim().min(1).max(maxTextUtf16);
const messageId = z.number().int().positive();

/** What a person does on the page. */
export const actionSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('say'), pane: z.string(), text, replyTo: messageId.optional() }),
  z.object({ do: z.literal('edit'), pane: z.string(), message: messageId, text }),
  z.object({
    do: z.literal('press'),
    pane: z.string(),
    message: messageId,
    row: z.number().int().min(0),
    column: z.number().int().min(0),
  }),
]);

export type Action = z.output<typeof actionSchema>;

/** Lets a person do it. Throws an AntlerError when there is nothing of that kind. */
export function perform(action: Action, cast: Cast, { people }: TelegramSimulator): void {
  const pane = cast.panes.find(({ key }) => key === action.pane);
  if (pane === undefined) throw new AntlerError('not_found', 'There is no such pane.');
  const { user } = pane.person;
  switch (action.do) {
    case 'say': {
      const replyTo = action.replyTo === undefined ? undefined : messageIn(pane, action.replyTo);
      people.say(user, pane.chat, action.text, replyTo === undefined ? {} : { replyTo });
      break;
    }
    case 'edit': {
      const message = messageIn(pane, action.message);
      if (message.from.id !== user.id) throw new AntlerError('forbidden', 'Only the author can edit a message.');
      if (message.content.text !== action.text) people.edit(message, action.text);
      break;
    }
    case 'press': {
      const message = messageIn(pane, action.message);
      const button = message.keyboard?.inline_keyboard[action.row]?.[action.column];
      if (button === undefined) throw new AntlerError('not_found', 'That button is gone.');
      people.press(user, message, button.callback_data ?? button.text);
      break;
    }
    default:
      action satisfies never;
  }
}

function messageIn({ chat }: Pane, id: number): Message {
  const message = chat.messages.find((one) => one.id === id && one.deletedAt === undefined);
  if (message === undefined) throw new AntlerError('not_found', 'That message is gone.');
  return message;
}
