import { AntlerError } from '../base/errors.ts';
import { imUserKey } from '../base/ids.ts';
import { isAtLeast, type Role } from '../base/roles.ts';
import type { Language } from '../base/sentences.ts';
import type { InboundMessage } from '../channel/message.ts';
import type { Delegation, HandedOn } from '../harness/delegation/port.ts';
import { shortId } from './card.ts';
import type { Made, TaskDesk } from './desk.ts';
import type { Assignee, Task } from './port.ts';

/** In which turn work is handed on. */
export interface Delegating {
  /** What is answered. */
  readonly message: InboundMessage;
  readonly role: Role;
  readonly language: Language;
  /** Who answers. */
  readonly assistant: string;
  /** The other assistants that the person may use. */
  readonly others: readonly string[];
  /** People of the chat by name; values are the platform's ids. */
  readonly people: ReadonlyMap<string, string>;
  /** The task that is worked on. Null: none, it is a conversation. */
  readonly parent: Task | null;
}

const WHY: Readonly<Record<Extract<Made, { refused: unknown }>['refused'], string>> = {
  perPerson: 'this person has as many open tasks as they may have; tell them, or do it yourself',
  perChat: 'this chat has as many open tasks as it may have; tell the person, or do it yourself',
  hops: 'this work has been handed on as often as it may be; do it yourself',
};

/** What a run hands on becomes a task of whom it answers. */
export function delegation(desk: TaskDesk, turn: Delegating): Delegation {
  const { message, role, language, others, people } = turn;

  /** Who is to do it. */
  function taker(name: string | undefined): { readonly assistant: string; readonly assignee?: Assignee } {
    const { assistant } = turn;
    if (name === undefined) return { assistant };
    const other = [assistant, ...others].find((known) => known.toLowerCase() === name.toLowerCase());
    if (other !== undefined) return { assistant: other };
    const wanted = name.replace(/^@/, '');
    const found = [...people].filter(([known]) => known.toLowerCase() === wanted.toLowerCase());
    const [user] = found;
    if (user === undefined || found.length > 1)
      throw new AntlerError('bad_input', `to: nobody here is called ${JSON.stringify(wanted)}; ask who is meant`);
    const { channelType, tenant } = message;
    return { assistant, assignee: { key: imUserKey({ channelType, tenant, user: user[1] }), name: user[0] } };
  }

  return {
    assistants: others,
    delegate: async ({ title, text, to, deadlineAt, isProposal, key }: HandedOn) => {
      if (!isAtLeast(role, 'member'))
        throw new AntlerError('forbidden', 'this person may not delegate tasks; tell them');
      const made = await desk.make({
        origin: `tool/${key}`,
        message: { ...message, text },
        ...{ role, language, title, isProposal, ...taker(to) },
        ...(deadlineAt === undefined ? {} : { deadlineAt }),
        ...(turn.parent === null ? {} : { parent: turn.parent }),
      });
      if ('refused' in made) throw new AntlerError('conflict', WHY[made.refused]);
      if (turn.parent !== null && made.task.assignee === null)
        return `Part ${shortId(made.task)} has been taken on. Hand on what else there is, then end your turn: you are told what came of all parts once they are over, and then say the result.`;
      const begun = isProposal
        ? 'It begins once the person agrees, by its card'
        : 'It has been taken on; its card is shown';
      return `Task ${shortId(made.task)}. ${begun}, and the result will be posted there. Say no more about it than a person needs, which may be a few words.`;
    },
  };
}
