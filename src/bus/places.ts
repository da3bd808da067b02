import type { Places } from './port.ts';

/** Enough for a group with several topics, and far below what a process can run: others always find a free hand soon. */
export const DEFAULT_PLACES: Places = { chat: 4, user: 4 };
