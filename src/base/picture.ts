export interface PictureKind {
  readonly mime: string;
  readonly extension: string;
}

const KINDS = [
  { begins: Buffer.from([0xff, 0xd8, 0xff]), mime: 'image/jpeg', extension: 'jpg' },
  { begins: Buffer.from([0x89, 0x50, 0x4e, 0x47]), mime: 'image/png', extension: 'png' },
  { begins: Buffer.from('GIF8'), mime: 'image/gif', extension: 'gif' },
  { begins: Buffer.from('BM'), mime: 'image/bmp', extension: 'bmp' },
] as const;

/** What kind of picture this is by its first bytes, where nobody tells; undefined for anything else. */
export function pictureKind(content: Uint8Array): PictureKind | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return KINDS.find(({ begins }) => bytes.subarray(0, begins.length).equals(begins));
}
