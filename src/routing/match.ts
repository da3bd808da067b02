import { matches } from '../base/pattern.ts';
import type { Match, Question, RoutingRule, Tried } from './port.ts';

/** The first part of a match that does not fit a question; null when all do. */
export function misfit(match: Match, question: Question): keyof Match | null {
  const text = question.text.toLowerCase();
  const fits: { readonly [Part in keyof Required<Match>]: (wanted: string) => boolean } = {
    channel: (wanted) => matches(wanted, question.channel),
    chat: (wanted) => matches(wanted, question.chat),
    chatKind: (wanted) => wanted === question.chatKind,
    user: (wanted) => matches(wanted, `${question.channel}/${question.user}`),
    role: (wanted) => wanted === question.role,
    command: (wanted) => wanted.toLowerCase() === commandOf(text),
    mention: (wanted) => isCalled(wanted.toLowerCase(), text, question.mentions),
    text: (wanted) => matches(wanted.toLowerCase(), text),
  };
  for (const part of PARTS) {
    const wanted = match[part];
    if (wanted !== undefined && ![wanted].flat().some(fits[part])) return part;
  }
  return null;
}

const PARTS = ['channel', 'chat', 'chatKind', 'user', 'role', 'command', 'mention', 'text'] as const;

const commandOf = (text: string): string | undefined => /^[/／]([\p{L}\p{N}_-]+)(?=\s|$)/u.exec(text.trim())?.[1];

/** `Rex, …`, `@Rex …`, `Rex: …`, or a mention by the platform. */
function isCalled(name: string, text: string, mentions: readonly string[]): boolean {
  if (mentions.some((mention) => mention.toLowerCase() === name)) return true;
  const said = text.trimStart().replace(/^@/, '');
  return said.startsWith(name) && !/^[\p{L}\p{N}_-]/u.test(said.slice(name.length));
}

export interface Decided {
  /** The position of the rule that decides; null: none fits. */
  readonly rule: number | null;
  readonly tried: readonly Tried[];
}

/** The first rule that fits decides. */
export function decide(rules: readonly RoutingRule[], question: Question): Decided {
  let decided: number | null = null;
  const tried = rules.map(({ match }, rule): Tried => {
    const why = misfit(match, question);
    if (why !== null) return { rule, why };
    if (decided !== null) return { rule, why: 'after another' };
    decided = rule;
    return { rule, why: null };
  });
  return { rule: decided, tried };
}
