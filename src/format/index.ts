export { BLANK, isBlank } from './blank.ts';
export { WORD_JOINER, withDeadLinks, withLiveLinks } from './dead-links.ts';
export { linkMentions, mentionedUser, mentionUrl, writeMentions } from './mentions.ts';
export type * from './nodes.ts';
export { parse } from './parse.ts';
export { itemMark, plain, RULE, showsTarget } from './plain.ts';
export { split } from './split.ts';
export { tableLines, tableRecords } from './table.ts';
export { displayWidth } from './width.ts';
