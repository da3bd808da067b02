import type { FileRef } from '../channel/port.ts';

/** What fits on a screen or two; more is no help in a chat. */
const MAX_BYTES = 8_000;
const TEXT = /^text\/|^application\/(?:json|xml|yaml|javascript|x-sh)$|\+(?:json|xml)$/;

/** A short text file as a code block, or null for what is none. */
export function quotedText({ name, mime }: Pick<FileRef, 'name' | 'mime'>, content: Uint8Array): string | null {
  if (!TEXT.test(mime) || content.byteLength > MAX_BYTES) return null;
  const text = utf8(content)?.trimEnd();
  if (text === undefined || text === '' || text.includes('\0')) return null;
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const language = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return `${fence}${language}\n${text}\n${fence}`;
}

function utf8(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}
