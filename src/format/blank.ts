/** Stands for a text of which nothing can be seen, since no platform takes an empty message. */
export const BLANK = '…';

/** White space, what steers other characters, and letters that are drawn as nothing. */
const UNSEEN = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Is there nothing in it to see? Platforms refuse such a message, or show an empty one. */
export const isBlank = (text: string): boolean => UNSEEN.test(text);
