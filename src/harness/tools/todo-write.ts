import { z } from 'zod';
import { AntlerError } from '../../base/errors.ts';
import { changed, MAX_ITEMS, readTodo, STATUSES, shownTodo, TODO, writtenTodo } from '../todo/list.ts';
import { defineTool } from './port.ts';

export const TODO_WRITE = 'todo_write';

/** Keeps a list of what is to be done, which the person sees while it is worked on. */
export const todoWrite = defineTool({
  name: TODO_WRITE,
  description:
    'Keeps a list of what is to be done; the person sees it while you work. Use it for work of three steps or more, not for simple questions. Set one item to `doing` when you begin it, and to `done` as soon as it is done. Give only the items that change: they are found by their ids, new ids are added.',
  input: z.object({
    items: z
      .array(
        z.object({
          id: z.string().trim().min(1).max(40).describe('Short, e.g. 1.'),
          text: z.string().trim().min(1).max(200).optional().describe('What is to be done; left out: as before.'),
          status: z
            .enum(STATUSES)
            .optional()
            .describe('`dropped` takes it off the list; left out: open, or as before.'),
        }),
      )
      .min(1)
      .max(MAX_ITEMS),
  }),
  trust: 'local',
  forPeople: true,
  run: ({ items }, { state, keep, progress }) => {
    const list = changed(readTodo(state(TODO)), items);
    if (list.length > MAX_ITEMS)
      throw new AntlerError('bad_input', `items: a list has at most ${MAX_ITEMS}; drop what is done, or join some`);
    keep(TODO, list);
    progress(shownTodo(list));
    return list.length === 0 ? 'The list is empty.' : writtenTodo(list);
  },
});
