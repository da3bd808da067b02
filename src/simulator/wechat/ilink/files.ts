import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Bytes that lie in the CDN, by what stands for them in messages; it knows no keys. */
export class Files {
  readonly #stored = new Map<string, Buffer>();
  readonly #expected = new Map<string, { readonly fileKey: string; readonly bytes: number }>();

  /** Announces an upload; returns what the upload's address has to carry. */
  expect(fileKey: string, bytes: number): string {
    const param = `up_${randomBytes(12).toString('base64url')}`;
    this.#expected.set(param, { fileKey, bytes });
    return param;
  }

  /** Null: nobody announced it, or it is not as it was announced. */
  take(param: string, fileKey: string, content: Buffer): string | null {
    const expected = this.#expected.get(param);
    if (expected === undefined || expected.fileKey !== fileKey || expected.bytes !== content.length) return null;
    this.#expected.delete(param);
    return this.store(content);
  }

  store(content: Buffer): string {
    const param = `dl_${randomBytes(12).toString('base64url')}`;
    this.#stored.set(param, content);
    return param;
  }

  get(param: string): Buffer | undefined {
    return this.#stored.get(param);
  }

  /** As after some days: nothing of it can be fetched any more. */
  forgetAll(): void {
    this.#stored.clear();
  }
}

export function encrypted(content: Uint8Array, key: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-128-ecb', key, null);
  return Buffer.concat([cipher.update(content), cipher.final()]);
}

export function decrypted(content: Uint8Array, key: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-128-ecb', key, null);
  return Buffer.concat([decipher.update(content), decipher.final()]);
}
