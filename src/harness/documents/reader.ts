import { AntlerError } from '../../base/errors.ts';
import type { FileReader } from '../tools/files/reader.ts';
import type { NamedFile } from '../tools/files/source.ts';
import type { Converted, DocumentConverter, DocumentSource } from './port.ts';
import { problems } from './problems.ts';

/** Reads PDF, Word, Excel and PowerPoint as Markdown. */
export const documentReader = (converter: DocumentConverter): FileReader => ({
  read: async (file, content, signal) => {
    try {
      const kind = kindOf(content);
      return kind === null ? null : await written(converter, { kind, content }, signal);
    } catch (thrown) {
      throw about(file, thrown);
    }
  },
});

/** Reads HTML as Markdown. */
export const htmlReader = (converter: DocumentConverter): FileReader => ({
  rendersText: true,
  read: async (file, content, signal) => {
    const isHtml = /\.x?html?$/i.test(file.name) || /^(?:text\/html|application\/xhtml\+xml)$/.test(file.mime);
    if (!isHtml) return null;
    return await written(converter, { kind: 'html', content }, signal).catch((thrown: unknown) => {
      throw about(file, thrown);
    });
  },
});

/** What a file is, by its first bytes rather than by its name. @throws AntlerError for what Office wrote before 2007. */
export function kindOf(content: Uint8Array): 'pdf' | 'office' | null {
  const head = Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, 1_024)).toString('latin1');
  // Its mark may stand behind some rubbish (ISO 32000-1, annex H.3.4.1), but a page that tells of PDF is none.
  if (/^[^<]*%PDF-[12]\.\d/.test(head)) return 'pdf';
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return 'office';
  if (head.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) {
    // An encrypted document is a compound file, as the old formats are; [MS-OFFCRYPTO] names the stream in it.
    const isEncrypted = Buffer.from(content).includes(Buffer.from('EncryptedPackage', 'utf16le'));
    throw isEncrypted ? problems.encrypted() : problems.oldOffice();
  }
  return null;
}

async function written(converter: DocumentConverter, source: DocumentSource, signal: AbortSignal): Promise<string> {
  const { title, text }: Converted = await converter.convert(source, signal);
  return title === undefined ? text : `# ${title}\n\n${text}`;
}

/** The problem, with the file's name before it. */
function about({ name }: NamedFile, thrown: unknown): unknown {
  if (!(thrown instanceof AntlerError)) return thrown;
  const { code, message, cause } = thrown;
  const isOfFile = code === 'unsupported' || code === 'too_large' || code === 'timeout';
  return isOfFile ? new AntlerError(code, `${name} ${message}`, { cause }) : thrown;
}
