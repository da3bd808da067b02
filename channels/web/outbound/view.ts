import type { HostedMessage } from '../../../src/channel/port.ts';
import { type FileView, fileView } from './file-view.ts';
import { renderHtml, renderPlain } from './render.ts';

/** A message as the page and the API get it. */
export interface MessageView {
  readonly id: string;
  /** Position in the chat, ascending. */
  readonly seq: number;
  readonly author: 'person' | 'bot';
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly markdown: string;
  /** Safe to be put into a page. */
  readonly html: string;
  readonly files: readonly FileView[];
}

/** People's words are shown as typed, the bot's as Markdown. */
export function viewOf({ id, seq, author, name, at, markdown, files = [] }: HostedMessage): MessageView {
  const html = markdown === '' ? '' : author === 'bot' ? renderHtml(markdown) : renderPlain(markdown);
  return { id, seq, author, name, at, markdown, html, files: files.map(fileView) };
}
