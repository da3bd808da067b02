/** Samples of Opus count at this rate, whatever the voice was recorded at. https://www.rfc-editor.org/rfc/rfc7845#section-4 */
const OPUS_PER_MS = 48;
const OGG_PAGE = 'OggS';
const POSITION_AT = 6;
const PAGE_HEADER_BYTES = 27;

/** True for Opus in Ogg: the only sound that the platform plays. */
export const isOpus = (content: Uint8Array): boolean => {
  const head = Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, 64));
  return head.toString('latin1', 0, 4) === OGG_PAGE && head.includes('OpusHead');
};

/** How long a voice in Ogg lasts, in milliseconds: the last page says up to where it goes. */
export function oggMs(content: Uint8Array): number | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const page = bytes.lastIndexOf(OGG_PAGE, undefined, 'latin1');
  if (page < 0 || page + PAGE_HEADER_BYTES > bytes.length) return undefined;
  return positive(Number(bytes.readBigInt64LE(page + POSITION_AT)) / OPUS_PER_MS);
}

/** How long a video lasts, in milliseconds, as the box `moov/mvhd` has it (ISO/IEC 14496-12). */
export function mp4Ms(content: Uint8Array): number | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const header = boxIn(boxIn(bytes, 'moov'), 'mvhd');
  if (header === undefined || header.length < 32) return undefined;
  const isLong = header[0] === 1;
  const scale = header.readUInt32BE(isLong ? 20 : 12);
  const length = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  return positive((length / scale) * 1_000);
}

/** What is inside the first box of this kind. */
function boxIn(bytes: Buffer | undefined, kind: string): Buffer | undefined {
  for (let at = 0; bytes !== undefined && at + 16 <= bytes.length; ) {
    const short = bytes.readUInt32BE(at);
    const head = short === 1 ? 16 : 8;
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short;
    if (size < head) return undefined;
    if (bytes.toString('latin1', at + 4, at + 8) === kind) return bytes.subarray(at + head, at + size);
    at += size;
  }
  return undefined;
}

const positive = (ms: number): number | undefined => (Number.isFinite(ms) && ms > 0 ? Math.round(ms) : undefined);
