import { openItems, readTodo, shownTodo, TODO, writtenTodo } from '../todo/list.ts';
import { TODO_WRITE } from '../tools/todo-write.ts';
import type { MiddlewareKind, Verdict } from './port.ts';

const reminder = (list: string): string =>
  `Your list still has open items:\n${list}\nGo on with them now. If they are void, or wait for the person, write nothing more about them.`;

/**
 * The list of what is to be done: it stands below the growing answer while tools work, a finished one is put away with
 * the next turn, and a model that ends with open items in a turn in which it worked on them is reminded, once.
 */
export const todo: MiddlewareKind = {
  name: 'todo',
  create: () => {
    let workedOn = false;
    let reminded = false;
    return {
      beforeRun: (run) => {
        const list = readTodo(run.state(TODO));
        if (list.length > 0 && openItems(list).length === 0) run.keep(TODO, []);
      },
      afterModel: (run, reply): Verdict => {
        const list = readTodo(run.state(TODO));
        if (reply.toolCalls.length > 0) {
          // What the step has said has taken its place.
          if (workedOn && list.length > 0) run.emit({ type: 'progress', text: shownTodo(list) });
          return { kind: 'pass', reply };
        }
        const open = openItems(list);
        const hasText = reply.text.trim() !== '';
        if (reminded && !hasText && run.answer.shown.trim() !== '')
          return { kind: 'end', reply, result: { status: 'completed', text: run.answer.shown } };
        if (!workedOn || reminded || !hasText || open.length === 0 || run.closing !== null)
          return { kind: 'pass', reply };
        reminded = true;
        run.note(reminder(writtenTodo(open)));
        return { kind: 'go_on', reply };
      },
      wrapTool: async (_run, call, next) => {
        if (call.name === TODO_WRITE) workedOn = true;
        return next(call);
      },
    };
  },
};
