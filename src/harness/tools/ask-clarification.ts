import { z } from 'zod';
import { parseArguments } from '../transcript/arguments.ts';
import { defineTool } from './port.ts';
import { readArguments } from './read-arguments.ts';

export const ASK_CLARIFICATION = 'ask_clarification';

const MAX_OPTIONS = 10;

const input = z.object({
  question: z.string().trim().min(1).max(1000),
  options: z
    .array(z.string().trim().min(1).max(200))
    .max(MAX_OPTIONS)
    .optional()
    .describe('Answers to choose from, when there are a few likely ones.'),
});

/** Its result is the question as people read it; the clarification middleware puts it to them and ends the run. */
export const askClarification = defineTool({
  name: ASK_CLARIFICATION,
  description:
    'Asks the person one short question and waits for the answer. Use it only when you cannot go on sensibly without knowing; otherwise make an assumption and say so. Do not write the question as text as well.',
  input,
  trust: 'local',
  forPeople: true,
  run: ({ question, options }) => writeQuestion(question, distinct(options)),
});

/** The answers to choose from in a call of this tool, in the order in which they are numbered. */
export function optionsOf(written: string): string[] {
  const parsed = parseArguments(written);
  return parsed.ok ? distinct(readArguments(input, parsed.value).data?.options) : [];
}

const distinct = (options: readonly string[] = []): string[] => [
  ...new Set(options.map((option) => option.replace(/\s+/g, ' '))),
];

/** Numbered, because that can be answered on every platform. */
export function writeQuestion(question: string, options: readonly string[]): string {
  const choices = options.map((option, index) => `${index + 1}. ${option}`);
  return choices.length === 0 ? question : `${question}\n\n${choices.join('\n')}`;
}
