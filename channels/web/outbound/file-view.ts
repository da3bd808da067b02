import type { FileRef } from '../../../src/channel/port.ts';

/** A file as the page and the API get it. */
export interface FileView {
  readonly id: string;
  readonly name: string;
  readonly mime: string;
  readonly bytes: number;
  /** May be shown in the page; anything else is downloaded. */
  readonly image: boolean;
  readonly url: string;
}

/** Pixels and nothing else: an SVG may hold scripts. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export const isPicture = (mime: string): boolean => PICTURES.has(mime);

export const fileView = ({ id, name, mime, bytes }: FileRef): FileView => ({
  id,
  name,
  mime,
  bytes,
  image: isPicture(mime),
  url: `/api/v1/chat/files/${id}`,
});
