import type { MemorySection } from '../harness/memory/port.ts';
import type { Summaries, SummaryKind, ToldFact } from '../store/memory/port.ts';

const SUMMARY_TITLES: Readonly<Record<SummaryKind, string>> = {
  work: 'Work',
  personal: 'Personal',
  top_of_mind: 'On their mind',
  recent: 'Recently',
  earlier: 'Earlier',
  long_term: 'Long ago',
};

export interface Tellable {
  readonly about: MemorySection['about'];
  readonly line: string;
}

/** By which tools call a fact. */
export const labelOf = (about: MemorySection['about'], number: number): string =>
  about === 'group' ? `g${number}` : `${number}`;

/** A fact in a line: how it is called, what it says, of what kind it is, when and by whom it was said. */
export function factLine(about: MemorySection['about'], fact: ToldFact): Tellable {
  const day = new Date(fact.lastSeenAt).toISOString().slice(0, 10);
  const who = about === 'group' && fact.speaker !== '' ? `, said by ${fact.speaker.replace(/\s+/g, ' ')}` : '';
  return { about, line: `${labelOf(about, fact.number)}. ${fact.content} (${fact.category}, ${day}${who})` };
}

export const summaryLines = (about: MemorySection['about'], summaries: Summaries): Tellable[] =>
  (Object.keys(SUMMARY_TITLES) as SummaryKind[]).flatMap((kind) => {
    const text = summaries[kind] ?? '';
    return text === '' ? [] : [{ about, line: `${SUMMARY_TITLES[kind]}: ${text}` }];
  });

/** Summaries may take this share of the budget: facts are what is asked for. */
const SUMMARY_SHARE = 0.4;
/** What a line costs besides its words. */
const LINE_TOKENS = 2;

/** As many whole lines as the budget allows, the first ones first, by what they are about. */
export function sectionsWithin(
  summaries: readonly Tellable[],
  facts: readonly Tellable[],
  budgetTokens: number,
  tokensOf: (text: string) => number,
): readonly MemorySection[] {
  const told: Tellable[] = [];
  let left = budgetTokens;
  const take = (lines: readonly Tellable[], most: number): void => {
    let room = Math.min(left, most);
    for (const line of lines) {
      const cost = tokensOf(line.line) + LINE_TOKENS;
      if (cost > room) continue;
      told.push(line);
      room -= cost;
      left -= cost;
    }
  };
  take(summaries, budgetTokens * SUMMARY_SHARE);
  take(facts, budgetTokens);
  return (['person', 'group'] as const).flatMap((about) => {
    const lines = told.filter((line) => line.about === about).map(({ line }) => line);
    return lines.length === 0 ? [] : [{ about, lines }];
  });
}
