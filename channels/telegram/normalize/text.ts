import type { BotIdentity } from '../api.ts';
import { userName } from './sender.ts';
import type { Entity } from './wire.ts';

/** A person named in a message. Of a `@username` Telegram tells no id; there the id is the name with its `@`. */
export interface Mention {
  readonly id: string;
  readonly name: string;
}

/** What the entities of a text say about it. Offsets count UTF-16 code units, as JavaScript's own do. */
export interface TextReading {
  /** Hidden link targets shown, a leading mention of the bot and the bot's name behind a command gone. */
  readonly text: string;
  readonly mentions: readonly Mention[];
  readonly mentionsBot: boolean;
  /** The command that the message begins with: for this bot, for another, or for whoever hears it. */
  readonly command: 'own' | 'other' | 'bare' | undefined;
}

export function readText(text: string, entities: readonly Entity[], bot: BotIdentity): TextReading {
  const named = [...entities]
    .sort((a, b) => a.offset - b.offset)
    .map((entity) => ({ ...entity, shown: text.slice(entity.offset, entity.offset + entity.length) }));
  const isBot = (entity: (typeof named)[number]): boolean =>
    entity.type === 'mention'
      ? isName(entity.shown.slice(1), bot)
      : entity.type === 'text_mention' && entity.user?.id === bot.id;
  const command = named.find(({ type, offset }) => type === 'bot_command' && text.slice(0, offset).trim() === '');
  const addressee = command?.shown.split('@')[1];
  const edits: Edit[] = [];
  for (const entity of named) {
    edits.push(...linkEdit(text, entity));
    if (isBot(entity) && text.slice(0, entity.offset).trim() === '') {
      edits.push({ at: entity.offset, remove: entity.length, insert: '' });
    } else if (entity.type === 'bot_command' && isName(entity.shown.split('@')[1] ?? '', bot)) {
      const name = entity.shown.indexOf('@');
      edits.push({ at: entity.offset + name, remove: entity.length - name, insert: '' });
    }
  }
  const leads = edits.some(({ insert, remove, at }) => insert === '' && remove > 0 && text.slice(0, at).trim() === '');
  const cleaned = applied(text, edits);
  return {
    text: leads ? cleaned.replace(/^[\s,:，：]+/u, '') : cleaned,
    mentions: named.filter((entity) => !isBot(entity)).flatMap(mentionOf),
    mentionsBot: named.some((entity) => isBot(entity) || (entity !== command && callsBot(entity, bot))),
    command:
      command === undefined ? undefined : addressee === undefined ? 'bare' : isName(addressee, bot) ? 'own' : 'other',
  };
}

/** The text with the targets of its hidden links. */
export const withLinks = (text: string, entities: readonly Entity[]): string =>
  applied(
    text,
    entities.flatMap((entity) => linkEdit(text, entity)),
  );

function linkEdit(text: string, { type, offset, length, url }: Entity): Edit[] {
  const isHidden = type === 'text_link' && url !== undefined && url !== text.slice(offset, offset + length);
  return isHidden ? [{ at: offset + length, remove: 0, insert: ` (${url})` }] : [];
}

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

function applied(text: string, edits: readonly Edit[]): string {
  let result = '';
  let from = 0;
  for (const { at, remove, insert } of [...edits].sort((a, b) => a.at - b.at)) {
    if (at < from) continue;
    result += text.slice(from, at) + insert;
    from = at + remove;
  }
  return result + text.slice(from);
}

/** Usernames do not know upper and lower case. */
const isName = (name: string, bot: BotIdentity): boolean =>
  bot.username !== '' && name.toLowerCase() === bot.username.toLowerCase();

/** `/ask@bot` in the middle of a sentence is as good as a mention. */
const callsBot = ({ type, shown }: { type: string; shown: string }, bot: BotIdentity): boolean =>
  type === 'bot_command' && isName(shown.split('@')[1] ?? '', bot);

function mentionOf({ type, shown, user }: Entity & { readonly shown: string }): Mention[] {
  if (type === 'mention') return [{ id: shown, name: shown.slice(1) }];
  if (type === 'text_mention' && user !== undefined) return [{ id: String(user.id), name: userName(user) }];
  return [];
}
