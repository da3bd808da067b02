import type { InboundFile } from '../../../src/channel/message.ts';
import { safeFileName, safeName } from '../../../src/format/safe-name.ts';
import type { File } from './wire.ts';

/** Files that have no bytes any more, or that the workspace's plan hides. https://docs.slack.dev/reference/objects/file-object */
const GONE = new Set(['tombstone', 'hidden_by_limit']);

export const isGone = ({ mode }: File): boolean => mode !== undefined && GONE.has(mode);

/** Only a link to what lies with somebody else, e.g. in Google Drive. */
export const isElsewhere = ({ mode, is_external: isExternal }: File): boolean =>
  mode === 'external' || isExternal === true;

/** Those whose bytes Slack has. */
export function filesOf(files: readonly File[]): InboundFile[] {
  return files.filter((file) => !isGone(file) && !isElsewhere(file)).map(fileOf);
}

function fileOf(file: File): InboundFile {
  return {
    id: file.id,
    kind: kindOf(file),
    name: safeFileName(nameOf(file), file.id),
    ...(file.mimetype === undefined || file.mimetype === '' ? {} : { mime: file.mimetype }),
    ...(file.size === undefined ? {} : { bytes: file.size }),
  };
}

/** What stands for files where a message has no words, e.g. `[image cat.png]`. */
export function filesPlaceholder(files: readonly File[]): string {
  return files.map((file) => noteOf(file) ?? mark(file)).join(' ');
}

/** What files say that nothing else in the message does: that they are gone or lie elsewhere, and words spoken in them. */
export function filesNotes(files: readonly File[]): string {
  return files.flatMap((file) => noteOf(file) ?? []).join('\n');
}

function noteOf(file: File): string | undefined {
  if (isGone(file)) return '[file no longer available]';
  const address = file.url_private ?? file.permalink;
  if (isElsewhere(file)) return `[file ${nameOf(file)}${address === undefined ? '' : `: ${address}`}]`;
  const { content = '', has_more: hasMore } = file.transcription?.preview ?? {};
  return content.trim() === '' ? undefined : `${mark(file)} ${content.trim()}${hasMore === true ? ' …' : ''}`;
}

const mark = (file: File): string => `[${kindOf(file)} ${nameOf(file)}]`;

/** Of a file that another organisation shares, only the id is told at first. */
export function nameOf({ id, name, title, filetype }: File): string {
  return safeName(name, title, filetype === undefined || filetype === '' ? id : `${id}.${filetype}`);
}

function kindOf({ subtype, mimetype = '' }: File): InboundFile['kind'] {
  if (subtype === 'slack_audio') return 'voice';
  if (subtype === 'slack_video') return 'video';
  const [family] = mimetype.split('/');
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
}
