import { AntlerError } from '../../../src/base/errors.ts';
import { linkMentions } from '../../../src/format/index.ts';
import type { Names } from '../lookup/directory.ts';
import { mentionedIn } from './mention.ts';

/**
 * Shows Markdown by `show`; where Feishu refuses it, once more without the mentions of people whom Feishu does not name.
 * One id that it does not know (somebody left, or the id is another app's) makes it refuse a whole card, and does not say
 * which one.
 */
export async function withoutStrangers<Result>(
  markdown: string,
  names: () => Names,
  show: (markdown: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await show(markdown);
  } catch (error) {
    if (!(error instanceof AntlerError && error.code === 'format_refused')) throw error;
    const bare = await unmentioned(markdown, names);
    if (bare === markdown) throw error;
    return show(bare);
  }
}

/** Leaves those mentions whose people have a name; the text of the others stands for them. */
async function unmentioned(markdown: string, names: () => Names): Promise<string> {
  const called = mentionedIn(markdown);
  if (called.size === 0) return markdown;
  const { of } = names();
  const named = await Promise.all([...called].map(async (id) => ((await of(id)) === undefined ? [] : [id])));
  return linkMentions(markdown, new Map(named.flat().map((id) => [id, id])));
}
