import { z } from 'zod';
import { asName } from '../transcript/frame.ts';

/** Under what a conversation's list is kept. */
export const TODO = 'todo';

export const MAX_ITEMS = 30;

/** `dropped`: taken off the list. */
export const STATUSES = ['open', 'doing', 'done', 'dropped'] as const;

const itemSchema = z.object({ id: z.string(), text: z.string(), status: z.enum(['open', 'doing', 'done']) });

/** Something to be done. */
export type TodoItem = z.output<typeof itemSchema>;

export interface TodoChange {
  readonly id: string;
  readonly text?: string | undefined;
  readonly status?: (typeof STATUSES)[number] | undefined;
}

/** Reads what was kept; anything else counts as an empty list. */
export const readTodo = (kept: unknown): readonly TodoItem[] => z.array(itemSchema).safeParse(kept).data ?? [];

export const openItems = (items: readonly TodoItem[]): readonly TodoItem[] =>
  items.filter(({ status }) => status !== 'done');

/** The list after some changes: items are found by their ids, unknown ones are added at the end. */
export function changed(items: readonly TodoItem[], changes: readonly TodoChange[]): readonly TodoItem[] {
  const list = new Map(items.map((item) => [item.id, item]));
  for (const { id, text, status } of changes) {
    const former = list.get(id);
    if (status === 'dropped') list.delete(id);
    else list.set(id, { id, text: text ?? former?.text ?? id, status: status ?? former?.status ?? 'open' });
  }
  return [...list.values()];
}

const MARKS = { open: '☐', doing: '▶', done: '☑' } as const satisfies Record<TodoItem['status'], string>;

/** As people see it while it is worked on. */
export const shownTodo = (items: readonly TodoItem[]): string =>
  items.map(({ text, status }) => `${MARKS[status]} ${text}`).join('\n\n');

/** As the model reads it. */
export const writtenTodo = (items: readonly TodoItem[]): string =>
  items.map(({ id, text, status }) => `- [${status}] ${asName(id)}: ${asName(text)}`).join('\n');
