import type { Media } from './chat.ts';
import type { StoredFile } from './files.ts';

const reference = (file: StoredFile, suffix = ''): Record<string, unknown> => ({
  file_id: file.id,
  file_unique_id: file.uniqueId + suffix,
  file_size: file.size,
});

/** A file as the Bot API describes it in a message of this kind. */
export function mediaFields(kind: Media['kind'], file: StoredFile): Readonly<Record<string, unknown>> {
  const named = { ...reference(file), file_name: file.name, mime_type: file.mime };
  switch (kind) {
    case 'photo':
      // People's apps upload several sizes, the biggest last.
      return {
        photo: [
          { ...reference(file, 's'), width: 90, height: 67 },
          { ...reference(file, 'm'), width: 320, height: 240 },
          { ...reference(file), width: 1280, height: 960 },
        ],
      };
    case 'document':
      return { document: named };
    case 'animation':
      // For bots that know no animations they are documents too.
      return { animation: { ...named, duration: 2, width: 320, height: 240 }, document: named };
    case 'voice':
      return { voice: { ...reference(file), duration: 3, mime_type: 'audio/ogg' } };
    case 'audio':
      return { audio: { ...named, duration: 180, title: file.name } };
    case 'video':
      return { video: { ...named, duration: 5, width: 640, height: 360 } };
    case 'video_note':
      return { video_note: { ...reference(file), duration: 5, length: 240 } };
    case 'sticker':
      return {
        sticker: {
          ...reference(file),
          type: 'regular',
          width: 512,
          height: 512,
          is_animated: false,
          is_video: false,
          emoji: '😀',
        },
      };
    default:
      return kind satisfies never;
  }
}
