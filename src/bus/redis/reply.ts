/** What a script answers: strings, numbers and lists of them. */
export type Reply = string | number | null | readonly Reply[];

export const text = (reply: Reply | undefined): string => (reply === null || reply === undefined ? '' : String(reply));
export const number = (reply: Reply | undefined): number => Number(reply ?? 0);
export const list = (reply: Reply | undefined): readonly Reply[] => (Array.isArray(reply) ? reply : []);
