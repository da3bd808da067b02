export interface ImageFacts {
  readonly mime: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

type Reader = (bytes: DataView) => ImageFacts | null;

/**
 * What kind of image these bytes are, by what they begin with and never by what anybody says of them; null when they
 * are none that vision models take, or break off before they have told their size.
 */
export function sniffImage(content: Uint8Array): ImageFacts | null {
  const bytes = new DataView(content.buffer, content.byteOffset, content.byteLength);
  try {
    for (const read of READERS) {
      const facts = read(bytes);
      if (facts !== null) return facts.width > 0 && facts.height > 0 ? facts : null;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // the bytes end too soon
  }
  return null;
}

const letters = (bytes: DataView, at: number, count: number): string =>
  String.fromCharCode(...Array.from({ length: count }, (_, index) => bytes.getUint8(at + index)));

/** https://www.w3.org/TR/png-3/#5PNG-file-signature: eight bytes, then the header chunk with the size. */
const png: Reader = (bytes) => {
  if (bytes.getUint32(0) !== 0x89504e47 || bytes.getUint32(4) !== 0x0d0a1a0a || letters(bytes, 12, 4) !== 'IHDR')
    return null;
  return { mime: 'image/png', width: bytes.getUint32(16), height: bytes.getUint32(20) };
};

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt: the size stands in the screen descriptor. */
const gif: Reader = (bytes) => {
  if (!['GIF87a', 'GIF89a'].includes(letters(bytes, 0, 6))) return null;
  return { mime: 'image/gif', width: bytes.getUint16(6, true), height: bytes.getUint16(8, true) };
};

/** https://developers.google.com/speed/webp/docs/riff_container: lossy, lossless or extended. */
const webp: Reader = (bytes) => {
  if (letters(bytes, 0, 4) !== 'RIFF' || letters(bytes, 8, 4) !== 'WEBP') return null;
  const size = (width: number, height: number): ImageFacts => ({ mime: 'image/webp', width, height });
  switch (letters(bytes, 12, 4)) {
    case 'VP8 ':
      return size(bytes.getUint16(26, true) & 0x3fff, bytes.getUint16(28, true) & 0x3fff);
    case 'VP8L': {
      const packed = bytes.getUint32(21, true);
      return size((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return size((bytes.getUint32(24, true) & 0xffffff) + 1, (bytes.getUint32(26, true) >>> 8) + 1);
    default:
      return null;
  }
};

/** https://www.w3.org/Graphics/JPEG/itu-t81.pdf B.1: segments, until one that begins a frame tells the size. */
const jpeg: Reader = (bytes) => {
  if (bytes.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  for (;;) {
    if (bytes.getUint8(at) !== 0xff) return null;
    const marker = bytes.getUint8(at + 1);
    if (marker === 0xff) {
      at++; // padding
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { mime: 'image/jpeg', width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5) };
    if (marker === 0xd9 || marker === 0xda) return null;
    at += 2 + bytes.getUint16(at + 2);
  }
};

const READERS: readonly Reader[] = [jpeg, gif, png, webp];
