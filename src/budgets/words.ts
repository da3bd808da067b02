import { type Language, type Sentence, say } from '../base/sentences.ts';
import { costText } from './cost.ts';
import { NEAR_PERCENT, type Reached } from './judge.ts';
import type { LimitName, Scope, UsageLine } from './port.ts';
import type { Running } from './windows.ts';

/** How to speak with somebody. */
export interface Tongue {
  readonly language: Language;
  /** IANA name. */
  readonly timeZone: string;
}

const STOP = {
  tokensPerDay: 'budget_tokens',
  runsPerHour: 'budget_runs',
  concurrentRuns: 'budget_concurrent',
} as const satisfies Record<LimitName, Sentence>;

const WHOSE = {
  person: 'budget_whose_person',
  chat: 'budget_whose_chat',
  channel: 'budget_whose_channel',
  assistant: 'budget_whose_assistant',
} as const satisfies Record<Scope, Sentence>;

/** At the limit: which one it is, and when it ends. */
export const stopText = (reached: Reached, running: Running, tongue: Tongue): string =>
  say(tongue.language, STOP[reached.limit], valuesOf(reached, running, tongue));

/** Near the limit: likewise. */
export function nearText(reached: Reached, running: Running, tongue: Tongue): string {
  const sentence = reached.limit === 'tokensPerDay' ? 'budget_near_tokens' : 'budget_near_runs';
  return say(tongue.language, sentence, { ...valuesOf(reached, running, tongue), percent: NEAR_PERCENT });
}

function valuesOf({ limit, scope, max }: Reached, running: Running, tongue: Tongue): Readonly<Record<string, string>> {
  return {
    whose: say(tongue.language, WHOSE[scope]),
    max: count(max, tongue),
    time: moment(limit === 'tokensPerDay' ? running.day.end : running.hour.end, tongue),
  };
}

/** How somebody stands, as lines of Markdown. */
export function usageLines({ scope, day, hour, now }: UsageLine, tongue: Tongue): string {
  const { language } = tongue;
  const today = {
    tokens: count(day.inputTokens + day.outputTokens, tongue),
    input: count(day.inputTokens, tongue),
    output: count(day.outputTokens, tongue),
    runs: count(day.runs, tongue),
  };
  const title = say(language, scope === 'person' ? 'usage_title_person' : 'usage_title_chat');
  const lines = [
    day.maxTokens === null
      ? say(language, 'usage_today', today)
      : say(language, 'usage_today_of', {
          ...today,
          max: count(day.maxTokens, tongue),
          time: moment(day.end, tongue),
        }),
    ...(hour.maxRuns === null
      ? []
      : [say(language, 'usage_hour_of', { runs: count(hour.runs, tongue), max: count(hour.maxRuns, tongue) })]),
    ...(now === null ? [] : [say(language, 'usage_now_of', { running: now.running, max: now.maxRunning })]),
    ...(day.cost.length === 0 ? [] : [say(language, 'usage_cost', { cost: costText(day.cost) })]),
  ];
  return [`**${title}**`, '', ...lines.map((line) => `- ${line}`)].join('\n');
}

const localeOf = ({ language }: Tongue): string => (language === 'zh' ? 'zh-CN' : 'en-GB');

const count = (number: number, tongue: Tongue): string => new Intl.NumberFormat(localeOf(tongue)).format(number);

/** E.g. `00:00 UTC`: within a day, the time of day says which moment is meant. */
const moment = (at: number, tongue: Tongue): string =>
  new Intl.DateTimeFormat(localeOf(tongue), {
    timeZone: tongue.timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(at);
