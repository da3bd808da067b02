import {
  type Block,
  type Doc,
  type Inline,
  type ListItem,
  mentionedUser,
  plain,
  type TableCell,
  type TableRow,
} from '../../../../src/format/index.ts';

/** What WeChat's apps put behind a name that is mentioned. */
const END = '\u2005';

type Node = Doc | Block | Inline | ListItem | TableRow | TableCell;

export interface Called {
  readonly document: Doc;
  /** Ids of who is mentioned, each once. */
  readonly people: readonly string[];
}

/** Writes mentions as WeChat wants them: `@name` in the text, and the ids beside it. */
export function callPeople(document: Doc): Called {
  const people = new Set<string>();
  const call = <N extends Node>(node: N): N => {
    if (node.type === 'link') {
      const user = mentionedUser(node.url);
      if (user !== null) {
        people.add(user);
        const label = plain({ type: 'root', children: [{ type: 'paragraph', children: node.children }] });
        return { type: 'text', value: `@${label.replace(/^@/, '')}${END}` } as N;
      }
    }
    return 'children' in node ? { ...node, children: node.children.map(call) } : node;
  };
  const called = call(document);
  return { document: called, people: [...people] };
}
