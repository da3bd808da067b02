import type { InboundFile } from '../../../src/channel/message.ts';
import { safeName } from '../../../src/format/safe-name.ts';
import type { File } from './wire.ts';

/** Files that have no bytes any more, or that the workspace's plan hides. https://docs.slack.dev/reference/objects/file-object */
const GONE = new Set(['tombstone', 'hidden_by_limit']);

export const isGone = ({ mode }: File): boolean => mode !== undefined && GONE.has(mode);

export function filesOf(files: readonly File[]): InboundFile[] {
  return files.filter((file) => !isGone(file)).map(fileOf);
}

function fileOf(file: File): InboundFile {
  return {
    id: file.id,
    kind: kindOf(file),
    name: nameOf(file),
    ...(file.mimetype === undefined || file.mimetype === '' ? {} : { mime: file.mimetype }),
    ...(file.size === undefined ? {} : { bytes: file.size }),
  };
}

/** What stands for files where a message has no words, e.g. `[image cat.png]`. */
export function filesPlaceholder(files: readonly File[]): string {
  return files
    .map((file) => (isGone(file) ? '[file no longer available]' : `[${kindOf(file)} ${nameOf(file)}]`))
    .join(' ');
}

/** Of a file that another organisation shares, only the id is told at first. */
function nameOf({ id, name, title, filetype }: File): string {
  return safeName(name, title, filetype === undefined || filetype === '' ? id : `${id}.${filetype}`);
}

function kindOf({ subtype, mimetype = '' }: File): InboundFile['kind'] {
  if (subtype === 'slack_audio') return 'voice';
  if (subtype === 'slack_video') return 'video';
  const [family] = mimetype.split('/');
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
}
