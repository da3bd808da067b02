import { AntlerError } from '../../src/base/errors.ts';

/** Where the bytes of a file are to be had: by the message that carries it, or that forwarded what carries it. */
export interface Resource {
  readonly messageId: string;
  /** The platform knows no other: voices, videos and documents are files. */
  readonly type: 'image' | 'file';
  readonly key: string;
}

/** Everything as one text, so that any process can fetch the bytes. */
export const resourceId = ({ messageId, type, key }: Resource): string => `${messageId}/${type}/${key}`;

/** @throws AntlerError `not_found` for what was not made by {@link resourceId} */
export function parseResourceId(id: string): Resource {
  const [, messageId, type, key] = /^([\w-]+)\/(image|file)\/([\w.:=+-]*[\w=-])$/.exec(id) ?? [];
  if (messageId === undefined || key === undefined) {
    throw new AntlerError('not_found', 'This is no file of Feishu’s.');
  }
  return { messageId, type: type === 'image' ? 'image' : 'file', key };
}
