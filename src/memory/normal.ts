import { createHash } from 'node:crypto';

/** Text as it is compared: one form for what differs in case, width, spaces and the sign at its end. */
export const normalised = (content: string): string =>
  content
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!。！…]+$/u, '')
    .trim();

/** By which a subject has a fact only once. */
export const factHash = (content: string): string =>
  createHash('sha256').update(normalised(content)).digest('base64url').slice(0, 32);
