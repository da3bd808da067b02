import { Duplex, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { AntlerError } from '../base/errors.ts';
import { collectBytes } from '../base/http.ts';
import { MAX_ENCODINGS } from './limits.ts';

const UNPACK = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
} as const;

/** What we say that we can unpack. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/**
 * Reads a body of at most `maxBytes`, counted both as it comes and as it is unpacked, so that neither an endless body
 * nor a small one that unpacks to gigabytes fills the memory.
 *
 * @throws AntlerError `too_large`, `unavailable` for one that cannot be unpacked.
 */
export async function readPacked(
  body: Readable,
  encoding: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const packings = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const wrong = packings.find((name) => !Object.hasOwn(UNPACK, name));
  if (wrong !== undefined || packings.length > MAX_ENCODINGS) {
    body.destroy();
    throw new AntlerError('unavailable', 'the server packs its answer in a way that is not understood here');
  }
  // What was packed last is unpacked first.
  const steps = packings.toReversed().map((name) => UNPACK[name as keyof typeof UNPACK]());
  try {
    let bytes: Buffer = Buffer.alloc(0);
    const collect = async (pieces: AsyncIterable<Uint8Array>): Promise<void> => {
      bytes = await collectBytes(pieces, maxBytes);
    };
    await pipeline([body, Duplex.from(counted(maxBytes)), ...steps, Duplex.from(collect)], { signal });
    return bytes;
  } catch (thrown) {
    if (
      thrown instanceof Error &&
      'code' in thrown &&
      /^(?:Z_|ERR_.*ZSTD|ZSTD|ERR__ERROR_|ERR_BROTLI)/.test(String(thrown.code))
    )
      throw new AntlerError('unavailable', 'the answer of the server is damaged', { cause: thrown });
    throw thrown;
  }
}

const counted = (maxBytes: number) =>
  async function* (pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw new AntlerError('too_large', `There are more than ${maxBytes} bytes.`);
      yield piece;
    }
  };
