/**
 * The canonical document: the subset of mdast (https://github.com/syntax-tree/mdast) that is left once references are
 * resolved and raw HTML is text. Renderers switch over these types alone, and the compiler tells when one is missing.
 */
export interface Doc {
  type: 'root';
  children: Block[];
}

export type Block = Paragraph | Heading | Blockquote | List | Code | Table | ThematicBreak;
export type Inline = Text | InlineCode | Break | Image | Strong | Emphasis | Delete | Link;

export interface Paragraph {
  type: 'paragraph';
  children: Inline[];
}
export interface Heading {
  type: 'heading';
  depth: 1 | 2 | 3 | 4 | 5 | 6;
  children: Inline[];
}
export interface Blockquote {
  type: 'blockquote';
  children: Block[];
}
export interface List {
  type: 'list';
  ordered: boolean;
  /** Number of the first item; only ordered lists count. */
  start: number;
  /** Items are set apart by blank lines. */
  spread: boolean;
  children: ListItem[];
}
export interface ListItem {
  type: 'listItem';
  spread: boolean;
  /** A task's box; null where the item is none. */
  checked: boolean | null;
  children: Block[];
}
export interface Code {
  type: 'code';
  lang: string | null;
  meta: string | null;
  value: string;
}
export interface Table {
  type: 'table';
  align: Align[];
  children: TableRow[];
}
export type Align = 'left' | 'right' | 'center' | null;
export interface TableRow {
  type: 'tableRow';
  children: TableCell[];
}
export interface TableCell {
  type: 'tableCell';
  children: Inline[];
}
export interface ThematicBreak {
  type: 'thematicBreak';
}

export interface Text {
  type: 'text';
  value: string;
}
export interface InlineCode {
  type: 'inlineCode';
  value: string;
}
export interface Break {
  type: 'break';
}
export interface Image {
  type: 'image';
  url: string;
  alt: string;
}
export interface Strong {
  type: 'strong';
  children: Inline[];
}
export interface Emphasis {
  type: 'emphasis';
  children: Inline[];
}
export interface Delete {
  type: 'delete';
  children: Inline[];
}
export interface Link {
  type: 'link';
  url: string;
  children: Inline[];
}

export const text = (value: string): Text => ({ type: 'text', value });
export const paragraph = (children: Inline[]): Paragraph => ({ type: 'paragraph', children });
export const doc = (children: Block[]): Doc => ({ type: 'root', children });
