import type { ChatRequest } from '../wire.ts';
import { expressionIn } from './arithmetic.ts';
import { readConversation, type ToolResult } from './conversation.ts';
import { aboutFiles, afterReading, demoFile } from './files.ts';
import { longAnswer } from './long-answer.ts';
import { nameTold } from './name.ts';
import { call, type DemoReply, type Situation, say } from './situation.ts';
import { textIn } from './texts.ts';

/** A rule looks at the situation and replies, or leaves it to the next. */
type Rule = (situation: Situation) => DemoReply | undefined;

/** “, Ann” after a greeting, in the language's own punctuation. */
const address = ({ conversation, name }: Situation): string => {
  if (name === undefined) return '';
  return conversation.language === 'zh' ? `，${name}` : `, ${name}`;
};

function afterTool(situation: Situation, { call: { function: called }, text }: ToolResult): DemoReply {
  const result = text.replace(/<\/?tool_result\b[^>]*>/g, '').trim();
  if (/^error\b/i.test(result)) return say(situation, 'toolFailed', { result });
  if (called.name === 'send_file') return say(situation, 'fileSent');
  if (called.name === 'read_file') return afterReading(situation, result);
  if (called.name === 'calculator') {
    const expression = expressionIn(situation.conversation.current.text) ?? '';
    return say(situation, 'result', {
      expression: expression.replaceAll('*', '×'),
      result: result.replace(/^.*=\s*/s, ''),
    });
  }
  if (called.name === 'current_time') return say(situation, 'time', { result: moment(result, situation) });
  return say(situation, 'result', { result, expression: called.name });
}

const WEEKDAYS: Readonly<Record<string, string>> = {
  ...{ Monday: '星期一', Tuesday: '星期二', Wednesday: '星期三', Thursday: '星期四' },
  ...{ Friday: '星期五', Saturday: '星期六', Sunday: '星期日' },
};

/** The clock tool speaks English. */
const moment = (result: string, { conversation }: Situation): string =>
  conversation.language === 'zh'
    ? result.replace(/^(\w+), (.*)$/, (_, day, at) => `${at} ${WEEKDAYS[day] ?? day}`)
    : result;

/** Answers when the current message matches. */
const when =
  (pattern: RegExp, reply: (situation: Situation) => DemoReply | undefined): Rule =>
  (situation) =>
    pattern.test(situation.conversation.current.text) ? reply(situation) : undefined;

function counting({ conversation }: Situation): DemoReply {
  const goal = Math.min(Number(/\d+/.exec(conversation.current.text)?.[0] ?? 20), 300);
  return { kind: 'text', text: Array.from({ length: goal }, (_, index) => index + 1).join(' ') };
}

/** What somebody says who is asked when: anything else is no answer, and gets its own. */
const NAMES_A_TIME =
  /\b(?:to(?:day|night|morrow)|noon|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next \w+|\d{1,2}(?::\d\d)? ?[ap]m)\b|今[天晚]|明[天晚]|后天|周|星期|[点號号]/i;

/** What may be picked; buttons where the platform has them. */
const BOOKINGS = ['bookToday', 'bookTomorrow', 'bookSaturday'] as const;

const rules: readonly Rule[] = [
  (situation) => {
    const result = situation.conversation.results.at(-1);
    return result === undefined ? undefined : afterTool(situation, result);
  },
  (situation) => {
    const { picked } = situation.conversation;
    return picked === undefined ? undefined : say(situation, 'booked', { answer: picked });
  },
  (situation) => (situation.conversation.current.files.length === 0 ? undefined : aboutFiles(situation)),
  when(/\b(?:send|make|give|write)\b.*\bfile\b|发.*文件|文件.*发|(?:生成|写|做|给我).*文件/i, demoFile),
  when(/\b(?:what(?:['’]s| is) my name|who am i)\b|我叫什么|我是谁|我的名字(?:是什么|叫什么)/i, (situation) => {
    const { mine, accountName } = situation.conversation;
    const name = nameTold(mine.map(({ text }) => text));
    if (name !== undefined) return say(situation, 'nameKnown', { name });
    return accountName === undefined
      ? say(situation, 'nameUnknown')
      : say(situation, 'nameFromAccount', { name: accountName });
  }),
  (situation) => {
    const name = nameTold([situation.conversation.current.text]);
    return name === undefined ? undefined : say(situation, 'nameLearned', { name });
  },
  when(/\bcount (?:up )?to \d+|数到\s*\d+/i, counting),
  when(/\b(?:book|reserve)\b|订|预约/i, (situation) => {
    const question = textIn(situation.conversation.language, 'bookQuestion');
    const hasTool = situation.tools.some(({ name }) => name === 'ask_clarification');
    if (!hasTool) return say(situation, 'bookQuestion');
    const options = BOOKINGS.map((name) => textIn(situation.conversation.language, name));
    return { kind: 'tool', name: 'ask_clarification', arguments: { question, options } };
  }),
  (situation) => {
    const expression = expressionIn(situation.conversation.current.text);
    return expression === undefined ? undefined : call(situation, 'calculator', ['expression', expression]);
  },
  when(
    /\b(?:what(?:['’]s| is)?|tell|which|current)\b.*\b(?:time|date|day)\b|\bwhat time\b|几点|时间|日期|星期几|周几|几号/i,
    (situation) => call(situation, 'current_time'),
  ),
  when(/\blong\b|长文|写.*长/i, ({ conversation }) => ({ kind: 'text', text: longAnswer(conversation.language) })),
  when(/\bwhat did i (?:just )?say\b|我(?:刚才|刚刚|之前)说了?什么/i, (situation) => {
    const before = situation.conversation.mine.at(-2)?.text;
    return before === undefined ? say(situation, 'nothingBefore') : say(situation, 'recall', { before });
  }),
  when(/\bhelp\b|what can you do|帮助|你会什么|你能做什么|怎么用/i, (situation) => say(situation, 'help')),
  when(/\bthank(?:s| you)\b|谢谢|多谢|感谢/i, (situation) => say(situation, 'thanks', { name: address(situation) })),
  when(/^[^a-z]*(?:good ?bye|bye|see you)\b|再见|拜拜/i, (situation) =>
    say(situation, 'bye', { name: address(situation) }),
  ),
  when(
    /^[^\p{L}\p{N}]*(?:hi|hello|hey|good (?:morning|afternoon|evening))\b|^[^\p{L}\p{N}]*(?:你好|您好|嗨|哈喽|早上好|下午好|晚上好|大家好)/iu,
    (situation) => say(situation, 'greeting', { name: address(situation) }),
  ),
  when(NAMES_A_TIME, (situation) => {
    const { wasAsked, current } = situation.conversation;
    return wasAsked ? say(situation, 'booked', { answer: current.text }) : undefined;
  }),
];

/**
 * What the demo model answers: friendly, useful enough to try every part of Antler offline, and honest about being a
 * demo. The same request always gets the same reply.
 */
export function demoReply(request: ChatRequest): DemoReply {
  const conversation = readConversation(request);
  const name = nameTold(conversation.mine.map(({ text }) => text)) ?? conversation.accountName;
  const situation: Situation = { conversation, tools: request.tools, name };
  for (const rule of rules) {
    const reply = rule(situation);
    if (reply !== undefined) return reply;
  }
  const { text, quoted } = conversation.current;
  const about = quoted === undefined ? '' : textIn(conversation.language, 'quoted', { quoted: shorten(quoted) });
  return { kind: 'text', text: about + textIn(conversation.language, 'other', { text: shorten(text) }) };
}

const maxEchoChars = 120;

const shorten = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > maxEchoChars ? `${flat.slice(0, maxEchoChars).toWellFormed()}…` : flat;
};
