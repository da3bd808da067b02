import { z } from 'zod';
import { AntlerError } from '../../../base/errors.ts';
import { mimeOfName } from '../../../base/mime.ts';
import { defineTool } from '../port.ts';

const MAX_BYTES = 1_000_000;
/** Formats that text cannot be made into by giving it their name. */
const NO_TEXT =
  /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|zip|gz|tar|7z|rar|png|jpe?g|gif|webp|bmp|ico|mp[34]|wav|ogg|webm|mov|exe|dll|bin)$/i;
const EXTENSION = /\.[\p{L}\p{N}]{1,10}$/u;

/** Gives the person a file of what the model has written. */
export const sendFile = defineTool({
  name: 'send_file',
  description:
    'Sends the person a text file that you write: Markdown, plain text, CSV, HTML, JSON, SVG, code and the like. Use it when they ask for a file, or for something to keep or to open elsewhere; not for ordinary answers.',
  input: z.object({
    name: z.string().trim().min(1).max(120).describe('File name with its extension, e.g. report.md.'),
    content: z.string().min(1).describe('All that is in the file.'),
  }),
  trust: 'local',
  forPeople: true,
  run: async ({ name: asked, content }, { files, present }) => {
    if (NO_TEXT.test(asked))
      throw new AntlerError(
        'bad_input',
        'name: only text can be sent; use .md, .txt, .csv, .html, .json, .svg or code',
      );
    const name = EXTENSION.test(asked) ? asked : `${asked}.txt`;
    const bytes = new TextEncoder().encode(withMark(name, content.toWellFormed()));
    if (bytes.byteLength > MAX_BYTES)
      throw new AntlerError('bad_input', `content: at most ${MAX_BYTES} bytes; send less, or several files`);
    const claimed = mimeOfName(name);
    const mime = claimed === 'application/octet-stream' ? 'text/plain' : claimed;
    const file = await files.add({ name, mime, kind: 'file' }, bytes);
    present(file);
    return `${file.name} (${file.bytes} bytes) goes to the person behind your answer. Do not repeat what is in it.`;
  },
});

/** Excel takes a CSV file without this mark for the machine's old encoding, and shows anything but ASCII as garbage. */
const withMark = (name: string, content: string): string =>
  /\.[ct]sv$/i.test(name) && !content.startsWith('\ufeff') && /[^\0-\x7f]/.test(content) ? `\ufeff${content}` : content;
