import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AntlerError } from '../base/errors.ts';
import { makeFolder } from '../base/folder.ts';

/** Encrypts what must not lie open in the database: AES-256-GCM under one master key. */
export interface Secrets {
  /** `purpose` is bound to the result, so that a secret cannot be moved to where another one belongs. */
  seal(text: string, purpose: string): Promise<string>;
  /** Throws `config_invalid` with what to do when the key is another one or the text was changed. */
  open(sealed: string, purpose: string): Promise<string>;
}

export interface SecretsOptions {
  /** `ANTLER_SECRET_KEY`: 32 bytes as base64 or hex. Needed when several machines share one database. */
  readonly key: string | undefined;
  /** Otherwise the key is the file `secret.key` in here, made at first use and readable by its owner only. */
  readonly dataDir: string;
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const VERSION = 'v1';

export function createSecrets(options: SecretsOptions): Secrets {
  let loading: Promise<Buffer> | null = null;
  const masterKey = (): Promise<Buffer> => {
    loading ??= loadKey(options).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  return {
    seal: async (text, purpose) => {
      const key = await masterKey();
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
      const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const parts = [iv, cipher.getAuthTag(), bytes].map((part) => part.toString('base64url'));
      return [VERSION, idOf(key), ...parts].join('.');
    },
    open: async (sealed, purpose) => {
      const key = await masterKey();
      const [version, keyId, iv = '', tag = '', bytes = ''] = sealed.split('.');
      if (version !== VERSION) throw unreadable('it was written by another version of Antler');
      if (keyId !== idOf(key)) throw unreadable(`it was encrypted with key ${keyId}, and this is key ${idOf(key)}`);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: 16 });
        decipher.setAAD(Buffer.from(purpose)).setAuthTag(Buffer.from(tag, 'base64url'));
        return decipher.update(Buffer.from(bytes, 'base64url'), undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw unreadable('it was changed or damaged', cause);
      }
    },
  };
}

function unreadable(why: string, cause?: unknown): AntlerError {
  return new AntlerError(
    'config_invalid',
    `A stored secret cannot be decrypted: ${why}. Bring back the former ANTLER_SECRET_KEY or secret.key, or enter the secret again.`,
    { cause },
  );
}

/** Names a key without giving it away. */
const idOf = (key: Buffer): string =>
  createHash('sha256').update('antler key id').update(key).digest('hex').slice(0, 8);

async function loadKey({ key, dataDir }: SecretsOptions): Promise<Buffer> {
  if (key !== undefined) return parseKey(key, 'ANTLER_SECRET_KEY');
  const path = join(dataDir, 'secret.key');
  const found = (await readKeyFile(path)) ?? (await makeKeyFile(path, dataDir));
  return parseKey(found, path);
}

function parseKey(text: string, where: string): Buffer {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (key.length === KEY_BYTES) return key;
  throw new AntlerError(
    'config_invalid',
    `${where} must hold ${KEY_BYTES} bytes as base64 or hex; "openssl rand -base64 ${KEY_BYTES}" makes such a key.`,
  );
}

async function readKeyFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new AntlerError('config_invalid', `Cannot read the key file ${path}.`, { cause: error });
  }
}

/** Whole or not at all, and never over another one: of several processes that start at once, one makes the key. */
async function makeKeyFile(path: string, dataDir: string): Promise<string> {
  makeFolder(dataDir);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    await chmod(draft, 0o600);
    await link(draft, path).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new AntlerError('config_invalid', `Cannot make the key file ${path}; is the folder writable?`, { cause });
  } finally {
    await rm(draft, { force: true });
  }
}
