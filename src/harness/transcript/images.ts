import type { FileId } from '../../base/ids.ts';
import type { FileInfo, LoggedFile, UserEntry } from '../log.ts';
import { asName, framed } from './frame.ts';

/** An image as a request may hold it, or why it does not. */
export type SeenImage =
  | { readonly kind: 'shown' /** A `data:` URL. */; readonly url: string }
  | { readonly kind: 'hidden'; readonly why: string };

/** An image that the model has asked to see. */
export interface ViewedImage {
  readonly name: string;
  /** A `data:` URL. */
  readonly url: string;
}

/** What was loaded of the log's images, newest first. */
export type Images = ReadonlyMap<FileId, SeenImage>;

/** What one image takes, rather too high than too low: most models scale down to about 1.15 megapixels. */
export const IMAGE_TOKENS = 1_600;
/** Images never take more of the room than this: what they are asked about must fit as well. */
const MOST_OF_ROOM = 0.5;

/** May a model that sees be shown this file? What it really is only its bytes tell. */
export const looksLikeImage = ({ kind, mime }: Pick<FileInfo, 'kind' | 'mime'>): boolean =>
  kind === 'image' || kind === 'sticker' || mime.startsWith('image/');

/** The files of a message, those of what it quotes behind its own. */
export const filesOf = (entry: UserEntry): readonly LoggedFile[] => [
  ...(entry.files ?? []),
  ...(entry.quote?.files ?? []),
];

/** Those of the images that fit into `budget` tokens, the newest ones. */
export function fittingImages(images: Images, budget: number): ReadonlyMap<FileId, string> {
  const most = Math.max(0, Math.floor((budget * MOST_OF_ROOM) / IMAGE_TOKENS));
  const shown = [...images].flatMap(([id, image]) => (image.kind === 'shown' ? [[id, image.url] as const] : []));
  return new Map(shown.slice(0, most));
}

/** Says which images stand here, or that there are none. */
export function viewedNote(viewed: readonly ViewedImage[], vision: boolean): string {
  const list = viewed.map(({ name }) => asName(name)).join(', ');
  return framed('note', vision ? `The images that you asked to see: ${list}.` : `You cannot see images, nor ${list}.`);
}

/** Tells a model which images of a message it does not get to see, and why; empty when it sees all of them. */
export function unseenNote(
  files: readonly LoggedFile[],
  images: Images,
  shown: ReadonlyMap<FileId, string>,
  vision: boolean,
): string {
  const unseen = files.filter(({ id, problem }) => problem === undefined && !shown.has(id));
  if (unseen.length === 0) return '';
  if (!vision)
    return framed('note', `You cannot see images. Of ${names(unseen)} you know nothing but what stands here.`);
  const lines = unseen.map((file) => {
    const image = images.get(file.id);
    const why = image?.kind === 'hidden' ? image.why : 'there is no room for more images';
    return `You cannot see ${names([file])}: ${why}.`;
  });
  return framed('note', lines.join('\n'));
}

const names = (files: readonly LoggedFile[]): string => files.map(({ name }) => asName(name)).join(', ');
