import { durationIn } from '../base/duration.ts';
import { type Language, say } from '../base/sentences.ts';
import type { RunResult } from '../harness/port.ts';

export interface AnswerFrame {
  /** What the bot itself has to say besides. */
  readonly notices: readonly string[];
  readonly language: Language;
  /** What made it end before its end, if anything did. */
  readonly ending: 'stop' | 'interrupt' | 'timeout' | null;
  readonly maxRunMs: number;
}

/** What of a finished run is shown to people: always something, unless it was interrupted before it said a word. */
export function answerText(result: RunResult, { notices, language, ending, maxRunMs }: AnswerFrame): string {
  const remarks = notices.map((notice) => `_${notice}_`);
  switch (result.status) {
    case 'completed':
    case 'step_limit':
    case 'asked':
      break;
    case 'cancelled':
      if (ending === 'stop') remarks.push(`_${say(language, 'run_stopped')}_`);
      if (ending === 'timeout') remarks.push(say(language, 'run_timeout', { limit: durationIn(language, maxRunMs) }));
      break;
    case 'failed':
      remarks.push(say(language, result.sentence, { code: result.code }));
  }
  return [result.text.trimEnd(), ...remarks].filter((part) => part !== '').join('\n\n');
}

/** A growing answer with what is being done below it: one line in italics, a list of several as it is. */
export function withProgress(text: string, progress: string): string {
  if (progress.trim() === '') return text;
  return `${text}\n\n${progress.includes('\n') ? progress : `_${progress}_`}`.trimStart();
}

/** The demo model's answers carry its name, in the language that they are in, wherever they are shown. */
export function labelled(text: string, language: Language, demo: boolean): string {
  return demo && text !== '' ? `_[${say(languageIn(text, language), 'demo_label')}]_\n\n${text}` : text;
}

/** By its first letter; `otherwise` for a text without any. */
function languageIn(text: string, otherwise: Language): Language {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return otherwise;
  return /\p{Script=Han}/u.test(letter) ? 'zh' : 'en';
}
