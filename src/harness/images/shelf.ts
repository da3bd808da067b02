import { asAntlerError } from '../../base/errors.ts';
import type { FileId } from '../../base/ids.ts';
import type { LogEntry, LoggedFile } from '../log.ts';
import type { FileAccess } from '../port.ts';
import { filesOf, type Images, looksLikeImage, type SeenImage } from '../transcript/images.ts';
import { LOOK_BACK, MAX_IMAGE_BYTES, MAX_IMAGES, MAX_LOOKED_AT, MAX_SIDE_PIXELS } from './limits.ts';
import { sniffImage } from './sniff.ts';

/** The images of a run, loaded once. The newest few are shown; of the others is told why they are not. */
export class ImageShelf {
  readonly #files: FileAccess;
  #images = new Map<FileId, SeenImage>();

  constructor(files: FileAccess) {
    this.#files = files;
  }

  /** Loads what of the log's images has not been looked at, and puts away what newer ones have replaced. */
  async look(log: readonly LogEntry[], signal: AbortSignal): Promise<void> {
    const next = new Map<FileId, SeenImage>();
    let shown = 0;
    for (const file of newestImages(log)) {
      if (shown >= MAX_IMAGES || next.size >= MAX_LOOKED_AT) break;
      const image = this.#images.get(file.id) ?? (await this.#load(file, signal));
      next.set(file.id, image);
      if (image.kind === 'shown') shown++;
    }
    this.#images = next;
  }

  /** Newest first. */
  get images(): Images {
    return this.#images;
  }

  async #load(file: LoggedFile, signal: AbortSignal): Promise<SeenImage> {
    if (file.bytes > MAX_IMAGE_BYTES) return { kind: 'hidden', why: 'it is too large' };
    try {
      return imageOf(await this.#files.read(file.id, signal));
    } catch (thrown) {
      return { kind: 'hidden', why: asAntlerError(thrown).code === 'not_found' ? 'it is gone' : 'it cannot be read' };
    }
  }
}

/** A file as models may be shown it, or why not. */
export function imageOf(content: Uint8Array): SeenImage {
  const facts = sniffImage(content);
  if (facts === null) return { kind: 'hidden', why: 'it is no PNG, JPEG, GIF or WebP' };
  const isTooLarge =
    content.byteLength > MAX_IMAGE_BYTES || facts.width > MAX_SIDE_PIXELS || facts.height > MAX_SIDE_PIXELS;
  if (isTooLarge) return { kind: 'hidden', why: 'it is too large' };
  const base64 = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64');
  return { kind: 'shown', url: `data:${facts.mime};base64,${base64}` };
}

function* newestImages(log: readonly LogEntry[]): Generator<LoggedFile> {
  let looked = 0;
  for (let index = log.length - 1; index >= 0; index--) {
    const entry = log[index];
    if (entry?.kind !== 'user') continue;
    if (looked++ >= LOOK_BACK) return;
    for (const file of filesOf(entry)) if (looksLikeImage(file) && file.problem === undefined) yield file;
  }
}
