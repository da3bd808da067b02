import { z } from 'zod';
import { AntlerError } from '../../base/errors.ts';
import { found } from '../play/found.ts';
import type { PlayChat, Player, Playground, PlayMessage, Said } from '../play/port.ts';
import { placeOf, playOf } from './stage.ts';

const MAX_TEXT_UTF16 = 4_000;
export const MAX_FILE_BYTES = 4_000_000;
/** Base64 takes four characters for three bytes. */
const MAX_FILE_BASE64 = Math.ceil(MAX_FILE_BYTES / 3) * 4;

const text = z.string().trim().min(1).max(MAX_TEXT_UTF16);
const id = z.string().min(1).max(500);
const place = { platform: z.string(), chat: z.enum(['ann', 'group', 'bo']), by: z.enum(['ann', 'bo']) };

const file = z.object({
  name: z.string().trim().min(1).max(200),
  mime: z
    .string()
    .max(100)
    .regex(/^[\w.+-]+\/[\w.+-]+$/),
  content: z.base64().max(MAX_FILE_BASE64),
});

/** What a person does on the page. */
export const actionSchema = z.discriminatedUnion('do', [
  z
    .object({
      do: z.literal('say'),
      ...place,
      text: z.string().trim().max(MAX_TEXT_UTF16),
      toBot: z.boolean().default(false),
      quoting: id.optional(),
      file: file.optional(),
    })
    .refine((said) => said.text !== '' || said.file !== undefined),
  z.object({ do: z.literal('edit'), ...place, message: id, text }),
  z.object({ do: z.literal('recall'), ...place, message: id }),
  z.object({ do: z.literal('press'), ...place, message: id, label: z.string() }),
  z.object({ do: z.literal('scan'), platform: z.string() }),
]);

export type Action = z.output<typeof actionSchema>;

/** Lets a person do it. @throws AntlerError when the platform or the moment has nothing of that kind */
export async function perform(action: Action, plays: readonly Playground[]): Promise<void> {
  const play = playOf(plays, action.platform);
  if (action.do === 'scan') {
    found(play.login).scan();
    return;
  }
  const { chat, player } = placeOf(play, action.chat, action.by);
  switch (action.do) {
    case 'say':
      if (action.quoting !== undefined) shownMessage(play, chat, action.quoting);
      await play.say(player, chat, saidIn(action, play));
      break;
    case 'edit':
      if (ownMessage(play, chat, player, action.message).text !== action.text)
        await found(play.edit)(player, chat, action.message, action.text);
      break;
    case 'recall':
      ownMessage(play, chat, player, action.message);
      await found(play.recall)(player, chat, action.message);
      break;
    case 'press':
      if (!shownMessage(play, chat, action.message).buttons.includes(action.label))
        throw new AntlerError('not_found', 'That button is gone.');
      await found(play.press)(player, chat, action.message, action.label);
      break;
    default:
      action satisfies never;
  }
}

/** Who writes the bot's name has called it, whatever the switch says. */
function saidIn({ text, toBot, quoting, file }: Extract<Action, { do: 'say' }>, { botName }: Playground): Said {
  return {
    text,
    toBot: toBot && !text.includes(botName),
    ...(quoting === undefined ? {} : { quoting }),
    ...(file === undefined ? {} : { file: { ...file, content: decoded(file.content) } }),
  };
}

function decoded(base64: string): Uint8Array {
  const content = Buffer.from(base64, 'base64');
  if (content.length <= MAX_FILE_BYTES) return content;
  throw new AntlerError('too_large', `A file may have ${MAX_FILE_BYTES} bytes here.`);
}

const shownMessage = (play: Playground, chat: PlayChat, id: string): PlayMessage =>
  found(play.shown(chat).find((message) => message.id === id));

function ownMessage(play: Playground, chat: PlayChat, player: Player, id: string): PlayMessage {
  const message = shownMessage(play, chat, id);
  if (message.by.id === player.id) return message;
  throw new AntlerError('forbidden', 'Only who has said something can change it.');
}
