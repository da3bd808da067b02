import { badRequest } from './api-error.ts';

export interface StoredFile {
  readonly id: string;
  readonly uniqueId: string;
  readonly path: string;
  readonly name: string;
  readonly mime: string;
  /** May be more than `bytes` holds, to play a file that is too big to hand out. */
  readonly size: number;
  readonly bytes: Uint8Array;
}

export interface NewFile {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
  readonly size?: number;
  /** The folder in the file's path, e.g. `photos`. */
  readonly folder: string;
}

/** Every file that was sent, by its id and by its path. */
export class Files {
  readonly #byId = new Map<string, StoredFile>();
  readonly #byPath = new Map<string, StoredFile>();
  #count = 0;

  /** As on the real server, the path shows neither the file's name nor, mostly, its type. */
  add(file: NewFile): StoredFile {
    this.#count += 1;
    const extension = /\.[a-z0-9]{1,8}$/i.exec(file.name)?.[0] ?? '';
    const stored: StoredFile = {
      id: `AgACAgQAAxk${Buffer.from(`file:${this.#count}`).toString('base64url')}`,
      uniqueId: `AQAD${this.#count.toString(36)}`,
      path: `${file.folder}/file_${this.#count}${extension}`,
      name: file.name,
      mime: file.mime,
      size: file.size ?? file.bytes.length,
      bytes: file.bytes,
    };
    this.#byId.set(stored.id, stored);
    this.#byPath.set(stored.path, stored);
    return stored;
  }

  get(id: string): StoredFile {
    const file = this.#byId.get(id);
    if (file === undefined) throw badRequest('wrong file identifier/HTTP URL specified');
    return file;
  }

  at(path: string): StoredFile | undefined {
    return this.#byPath.get(path);
  }
}
