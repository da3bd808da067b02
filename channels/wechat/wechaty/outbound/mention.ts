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

/** Writes mentions as WeChat wants them: `@name` in the text, and the ids beside it, which are added to `people`. */
export function callPeople<N extends Node>(node: N, people: Set<string>): N {
  if (node.type === 'link') {
    const user = mentionedUser(node.url);
    if (user !== null) {
      people.add(user);
      const label = plain({ type: 'root', children: [{ type: 'paragraph', children: node.children }] });
      return { type: 'text', value: `@${label.replace(/^@/, '')}${END}` } as N;
    }
  }
  return 'children' in node ? { ...node, children: node.children.map((child) => callPeople(child, people)) } : node;
}
