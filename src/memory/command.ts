import { AntlerError } from '../base/errors.ts';
import {
  chatSubject,
  type ImUserKey,
  type MemorySubject,
  type PersonId,
  personSubject,
  type ThreadKey,
} from '../base/ids.ts';
import { type Language, type Sentence, say } from '../base/sentences.ts';
import type { Book, Fact } from '../store/memory/port.ts';
import type { Memory } from './port.ts';
import { exported } from './seed.ts';

/** Who asks for a memory, and where. */
export interface MemoryAsker {
  readonly user: ImUserKey;
  readonly person: PersonId;
  /** Of the whole chat; null: they are alone with the bot. */
  readonly group: ThreadKey | null;
  readonly isOperator: boolean;
  readonly language: Language;
  readonly now: number;
}

type Verb = 'show' | 'edit' | 'forget' | 'export' | 'on' | 'off' | 'undo';

const VERBS: Readonly<Record<string, Verb>> = {
  ...{ show: 'show', list: 'show', 查看: 'show' },
  ...{ edit: 'edit', change: 'edit', 修改: 'edit', 更正: 'edit' },
  ...{ forget: 'forget', delete: 'forget', 忘记: 'forget', 删除: 'forget' },
  ...{ export: 'export', 导出: 'export' },
  ...{ on: 'on', 开: 'on', 开启: 'on', 打开: 'on' },
  ...{ off: 'off', 关: 'off', 关闭: 'off' },
  ...{ undo: 'undo', 撤销: 'undo' },
};
const ALL = /^(?:all|everything|全部|所有)$/i;

/**
 * `/memory`, `/memory edit N TEXT`, `/memory forget N|all`, `/memory export`, `/memory on|off`, `/memory undo`: what to say
 * to it, as Markdown. Alone with the bot it is about oneself, in a group about the group.
 */
export async function memoryCommand(memory: Memory, asker: MemoryAsker, args: string): Promise<string> {
  const [word = '', rest = ''] = splitOnce(args.trim());
  const verb = word === '' ? 'show' : VERBS[word.toLowerCase()];
  const subject = asker.group === null ? personSubject(asker.person) : chatSubject(asker.group);
  const told = (sentence: Sentence, values: Readonly<Record<string, string | number>> = {}): string =>
    say(asker.language, sentence, values);
  switch (verb) {
    case 'show':
      return shown(await memory.desk.read(subject), asker);
    case 'export':
      return `\`\`\`json\n${JSON.stringify(exported(await memory.desk.read(subject), asker.now), null, 2)}\n\`\`\``;
    case 'edit': {
      const [number = '', content = ''] = splitOnce(rest);
      if (content === '') return told('memory_usage');
      return changeOne(memory, asker, subject, number, async (fact) => {
        const edited = await memory.desk.edit(subject, fact.number, content, asker.user);
        return edited === null
          ? told('memory_unknown')
          : told('memory_edited', { number: edited.number, fact: edited.content });
      });
    }
    case 'forget':
      if (ALL.test(rest)) return forgetAll(memory, asker, subject);
      return changeOne(memory, asker, subject, rest, async (fact) => {
        const gone = await memory.desk.forget(subject, fact.number, asker.user);
        return gone === null ? told('memory_unknown') : told('memory_forgotten', { fact: gone.content });
      });
    case 'on':
    case 'off':
      if (!mayRule(asker)) return told('operators_only');
      await memory.desk.turn(subject, verb === 'off', asker.user);
      return told(verb === 'off' ? 'memory_off' : 'memory_on');
    case 'undo': {
      if (!mayRule(asker)) return told('operators_only');
      const undone = await memory.desk.undo(subject, asker.user);
      return undone === null ? told('memory_undo_nothing') : told('memory_undone', { ...undone });
    }
    default:
      return told('memory_usage');
  }
}

/** In a group what concerns everybody's memory is for operators. */
const mayRule = ({ group, isOperator }: MemoryAsker): boolean => group === null || isOperator;

const splitOnce = (text: string): readonly string[] => {
  const match = /^(\S+)\s*([\s\S]*)$/.exec(text);
  return match === null ? [] : [match[1] ?? '', match[2]?.trim() ?? ''];
};

async function forgetAll(memory: Memory, asker: MemoryAsker, subject: MemorySubject): Promise<string> {
  if (!mayRule(asker)) return say(asker.language, 'operators_only');
  const { facts } =
    asker.group === null ? await memory.erase(asker.person, asker.user) : await memory.desk.clear(subject, asker.user);
  return say(asker.language, 'memory_erased', { count: facts });
}

/** A fact of a group is changed by who said it, or by an operator. */
async function changeOne(
  memory: Memory,
  asker: MemoryAsker,
  subject: MemorySubject,
  typed: string,
  change: (fact: Fact) => Promise<string>,
): Promise<string> {
  const { facts } = await memory.desk.read(subject);
  const fact = facts.find(({ number }) => String(number) === typed.replace(/^[#g]/i, ''));
  if (fact === undefined) return say(asker.language, 'memory_unknown');
  if (!mayRule(asker) && fact.saidBy !== asker.user) return say(asker.language, 'memory_not_yours');
  try {
    return await change(fact);
  } catch (error) {
    if (!(error instanceof AntlerError) || error.code !== 'bad_input') throw error;
    return say(asker.language, 'memory_refused');
  }
}

function shown({ facts, summaries, isOff }: Book, { group, language }: MemoryAsker): string {
  const title = say(language, group === null ? 'memory_about_you' : 'memory_about_group');
  const none = say(language, 'memory_nothing');
  const lines = facts.map(({ number, content }) => `${number}. ${content.replace(/\s+/g, ' ')}`);
  const texts = Object.values(summaries).map((text) => `- ${text}`);
  return [
    ...(isOff ? [say(language, 'memory_is_off')] : []),
    title,
    ...(texts.length === 0 ? [] : [texts.join('\n')]),
    lines.length === 0 && texts.length === 0 ? none : lines.join('\n'),
    say(language, 'memory_usage'),
    ...(group === null ? [] : [say(language, 'memory_in_private')]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
