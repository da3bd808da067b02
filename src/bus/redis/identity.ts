import { randomUUID } from 'node:crypto';

/** An id as it stands at the front of tokens, where a colon ends it. */
export const identityKey = (id: string): string => encodeURIComponent(id);

export const newIdentity = (): string => randomUUID();
