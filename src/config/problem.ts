import { type Path, pathText } from './path.ts';

/** Where a problem is: in the file, or in a variable of the environment. */
export type Place =
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: 'whole_file'; readonly file: string }
  | { readonly kind: 'variable'; readonly name: string };

export interface Problem {
  readonly place: Place;
  /** Empty where the problem belongs to no key, such as a syntax error. */
  readonly path: Path;
  readonly message: string;
}

/** A problem in words, for whoever shows it. */
export interface WordedProblem extends Problem {
  readonly text: string;
}

/** One line: `config.yaml:12:5 channels.telegram.bot_tokn: unknown key; did you mean "bot_token"?` */
function problemText(problem: Problem): string {
  const { place, message } = problem;
  const path = pathText(problem.path);
  switch (place.kind) {
    case 'file':
      return `${place.file}:${place.line}:${place.column}${path === '' ? '' : ` ${path}`}: ${message}`;
    case 'whole_file':
      return `${place.file}: ${message}`;
    case 'variable':
      return `$${place.name}${path === '' ? '' : ` (${path})`}: ${message}`;
    default:
      return place satisfies never;
  }
}

/** In words, and in the order in which somebody mends them: from the top of the file, then the rest. */
export function worded(problems: readonly Problem[]): WordedProblem[] {
  const rank = ({ place }: Problem): number =>
    place.kind === 'file' ? place.line * 10_000 + place.column : Number.MAX_SAFE_INTEGER;
  return problems.toSorted((a, b) => rank(a) - rank(b)).map((problem) => ({ ...problem, text: problemText(problem) }));
}
