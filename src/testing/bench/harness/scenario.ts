/**
 * What both sides of the comparison are played: a conversation of so many messages, then a turn of {@link STEPS} steps,
 * each one model call and one tool call, and an answer.
 */
export const STEPS = 20;
export const TOOL = 'look_up';
/** Tools that the model is told of besides {@link TOOL}, so that there are as many as an assistant usually has. */
export const OTHER_TOOLS = 9;
export const SYSTEM = 'You are a helpful assistant in a chat. Look things up before you answer. '.repeat(8);
export const QUESTION = 'Which of our suppliers can deliver earlier, and what would that change for the fair in May?';
export const ANSWER = 'Three of them can; the others need two more weeks.';
/** Beyond anything that the scenario takes, so that nothing is left out or summed up while it is measured. */
export const CONTEXT_WINDOW = 1_000_000;

/** A message of the conversation before, as neither side writes it down. */
export type Message =
  | { readonly role: 'user' | 'assistant'; readonly text: string }
  | { readonly role: 'call' | 'result'; readonly id: string; readonly text: string };

const ENGLISH = 'The delivery for the stand at the fair has to be there two days before, says the organiser. ';
const CHINESE = '供应商说，如果今天下单，展会前两天可以送到；否则要再等两周。';

/** The first `count` messages: a question, a tool call, its result and an answer, again and again. */
export function conversation(count: number): Message[] {
  return Array.from({ length: count }, (_, index): Message => {
    const round = Math.floor(index / 4);
    const text = `${round}. ${round % 4 === 3 ? CHINESE.repeat(4) : ENGLISH.repeat(3)}`;
    switch (index % 4) {
      case 0:
        return { role: 'user', text };
      case 1:
        return { role: 'call', id: `call_h_${round}`, text: argumentsOf(round) };
      case 2:
        return { role: 'result', id: `call_h_${round}`, text: resultOf(text) };
      default:
        return { role: 'assistant', text };
    }
  });
}

/** Never the same twice: a model that repeats itself is stopped. */
export const argumentsOf = (step: number): string => JSON.stringify({ what: `supplier ${step}`, limit: 10 });

export const resultOf = (what: unknown): string => `${JSON.stringify(what)}: ${ENGLISH.repeat(4)}`;
