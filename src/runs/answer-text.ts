import { type Language, say } from '../base/sentences.ts';
import type { RunResult } from '../harness/port.ts';

/** What of a finished run is shown to people: always something, unless the run was cancelled without a word. */
export function answerText(result: RunResult, language: Language, interrupted: boolean): string {
  switch (result.status) {
    case 'completed':
    case 'step_limit':
    case 'asked':
      return result.text;
    case 'cancelled':
      return joined(result.text, interrupted ? '' : `_${say(language, 'run_stopped')}_`);
    case 'failed':
      return joined(result.text, say(language, result.sentence, { code: result.code }));
  }
}

/** The demo model's answers carry its name, wherever they are shown. */
export function labelled(text: string, language: Language, demo: boolean): string {
  return demo && text !== '' ? `_[${say(language, 'demo_label')}]_\n\n${text}` : text;
}

function joined(text: string, remark: string): string {
  return [text.trimEnd(), remark].filter((part) => part !== '').join('\n\n');
}
