import { asAntlerError } from '../base/errors.ts';
import type { FileId } from '../base/ids.ts';
import { type Language, type Sentence, say } from '../base/sentences.ts';
import type { Adapter, Document, FileRef, Manifest, SendOptions, Target } from '../channel/port.ts';
import { quotedText } from './quoted-text.ts';

export interface FileSending {
  readonly adapter: Adapter;
  readonly manifest: Pick<Manifest, 'capabilities' | 'split'>;
  /** The file's bytes; null when they are kept no more. */
  readonly content: (id: FileId) => Promise<Uint8Array | null>;
  readonly language: Language;
}

/** Sends a message, as plain text where the platform refuses the formatting, and returns its id. */
type SendText = (document: Document) => Promise<string>;

/**
 * Sends a file with its caption. Where the platform does not take it, a sentence says which file this was and why, and
 * a short text is shown in the message itself: nothing is dropped in silence.
 * @returns the message's id.
 * @throws AntlerError for what another try may mend.
 */
export async function sendFile(
  { adapter, manifest, content, language }: FileSending,
  target: Target,
  file: FileRef,
  caption: string,
  options: SendOptions,
  sendText: SendText,
): Promise<string> {
  const bytes = await content(file.id);
  const shown = bytes === null ? 'file_gone' : await show(bytes);
  if (typeof shown !== 'string') return shown.id;
  return sendText(instead(shown, bytes));

  /** Sends it, or says why that is not possible here. */
  async function show(bytes: Uint8Array): Promise<{ readonly id: string } | Sentence> {
    const { maxFileOutBytes } = manifest.capabilities;
    if (adapter.sendFile === undefined || maxFileOutBytes === 0) return 'file_unsupported';
    if (bytes.byteLength > maxFileOutBytes) return 'file_too_large';
    try {
      return await adapter.sendFile(target, { ...file, content: bytes }, caption, options);
    } catch (thrown) {
      const error = asAntlerError(thrown);
      if (error.code === 'too_large') return 'file_too_large';
      if (error.code === 'unsupported' || error.code === 'bad_input') return 'file_refused';
      throw error;
    }
  }

  function instead(why: Sentence, bytes: Uint8Array | null): Document {
    const sentence = `_${say(language, why, { name: file.name.replace(/[_*`[\]<>\\]/g, '\\$&'), size: size(file.bytes) })}_`;
    const words = caption === '' ? sentence : `${caption}\n\n${sentence}`;
    const text = bytes === null ? null : quotedText(file, bytes);
    if (text === null) return { markdown: words };
    const whole = { markdown: `${words}\n\n${text}` };
    return manifest.split(whole).length === 1 ? whole : { markdown: words };
  }
}

/** In a form that is read alike in every language. */
function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
