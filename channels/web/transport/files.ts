import { AntlerError } from '../../../src/base/errors.ts';
import { failureResponse, jsonResponse, readBytes } from '../../../src/base/http.ts';
import type { FileId } from '../../../src/base/ids.ts';
import { safeMime } from '../../../src/base/mime.ts';
import type { InboundFile } from '../../../src/channel/message.ts';
import type { FileRef, HostedFiles } from '../../../src/channel/port.ts';
import { limits } from '../limits.ts';
import { owner } from '../normalize/post.ts';
import { fileView, isPicture } from '../outbound/file-view.ts';

/** What the page uploads and downloads. */
export interface FileRoutes {
  /** `PUT /api/v1/chat/messages/<message>/files/<ref>?name=…&mime=…`, the bytes as its body. */
  upload(request: Request, message: string, ref: string, query: URLSearchParams): Promise<Response>;
  /** `GET /api/v1/chat/files/<id>` */
  download(id: string): Promise<Response>;
  /** The files that were uploaded for a message. @throws AntlerError `bad_input` for one that was not. */
  of(message: string, refs: readonly string[]): Promise<readonly (readonly [InboundFile, FileRef])[]>;
}

/** The adapter's id of an uploaded file. */
const fileId = (message: string, ref: string): string => `${message}/${ref}`;

export function fileRoutes(files: HostedFiles): FileRoutes {
  return {
    upload: async (request, message, ref, query) => {
      const content = await readBytes(request, files.maxBytes);
      if (content.byteLength === 0) throw new AntlerError('bad_input', 'the body: the file is empty');
      const name = query.get('name') ?? '';
      const mime = safeMime(query.get('mime') ?? undefined, name);
      const kind = isPicture(mime) ? 'image' : 'file';
      const file: InboundFile = { id: fileId(message, ref), kind, name, mime, bytes: content.byteLength };
      const kept = await files.keep({ chat: owner.chat, user: owner.id, message, file }, content);
      return jsonResponse(201, { file: fileView(kept) });
    },

    download: async (id) => {
      const file = await files.read(owner.chat, id as FileId);
      if (file === null) return failureResponse(404, 'not_found', 'This file is not kept here, or no more.');
      const shown = isPicture(file.mime);
      return new Response(new Uint8Array(file.content), {
        headers: {
          'content-type': shown ? file.mime : 'application/octet-stream',
          'content-disposition': `${shown ? 'inline' : 'attachment'}; ${fileName(file.name)}`,
          'cache-control': `private, max-age=${limits.fileCacheSeconds}`,
          // Whatever somebody has sent: opened by itself, it is nobody's page and runs nothing.
          'content-security-policy': "default-src 'none'; sandbox",
          'x-content-type-options': 'nosniff',
        },
      });
    },

    of: (message, refs) =>
      Promise.all(
        refs.map(async (ref) => {
          const id = fileId(message, ref);
          const kept = await files.find(owner.chat, message, id);
          if (kept === null) throw new AntlerError('bad_input', `files: ${ref} was not uploaded for this message`);
          const { kind, name, mime, bytes } = kept;
          return [{ id, kind, name, mime, bytes }, kept] as const;
        }),
      ),
  };
}

/** https://www.rfc-editor.org/rfc/rfc6266#section-4.3 */
function fileName(name: string): string {
  const extended = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `filename="${name.replace(/[^\x20-\x7e]|["\\]/g, '_')}"; filename*=UTF-8''${extended}`;
}
