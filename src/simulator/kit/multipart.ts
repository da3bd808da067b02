/** A file in a multipart body. */
export interface Upload {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

export interface Multipart {
  readonly fields: Readonly<Record<string, string>>;
  readonly uploads: ReadonlyMap<string, Upload>;
}

/**
 * Reads a multipart/form-data body. Written by hand because the parser behind `Response.formData()` refuses what the
 * real server takes, such as the `filename=` without quotes that grammY sends.
 * @param files names of parts that are files even without a name of their own
 * @returns undefined when the body is none.
 */
export function parseMultipart(
  body: Buffer,
  contentType: string,
  files: readonly string[] = [],
): Multipart | undefined {
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return undefined;
  const fields: Record<string, string> = {};
  const uploads = new Map<string, Upload>();
  for (const part of partsOf(body, boundary)) {
    const split = part.indexOf('\r\n\r\n');
    if (split === -1) return undefined;
    const headers = part.subarray(0, split).toString('utf8');
    const content = part.subarray(split + 4);
    const name = attribute(headers, 'name');
    const filename = attribute(headers, 'filename');
    if (name === undefined) return undefined;
    if (filename === undefined && !files.includes(name)) fields[name] = content.toString('utf8');
    else {
      const mime = /^content-type:\s*([^\s;]+)/im.exec(headers)?.[1] ?? 'application/octet-stream';
      uploads.set(name, { name: filename ?? '', mime, bytes: new Uint8Array(content) });
    }
  }
  return { fields, uploads };
}

function partsOf(body: Buffer, boundary: string): Buffer[] {
  const parts: Buffer[] = [];
  const mark = `--${boundary}`;
  let start = body.indexOf(mark);
  while (start !== -1) {
    const from = start + mark.length;
    if (body.toString('latin1', from, from + 2) === '--') break;
    const next = body.indexOf(`\r\n${mark}`, from);
    if (next === -1) break;
    parts.push(body.subarray(from + 2, next));
    start = next + 2;
  }
  return parts;
}

const attribute = (headers: string, name: string): string | undefined => {
  const [found, quoted, bare] =
    new RegExp(`[;\\s]${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\r\\n]+))`, 'i').exec(headers) ?? [];
  return found === undefined ? undefined : (quoted ?? bare ?? '').replace(/\\(.)/g, '$1');
};
