/** A growing answer. Its message id says all that is needed to let it grow, in any process. */
export interface StreamId {
  readonly reqId: string;
  readonly stream: string;
  /** When it was begun, in milliseconds since the epoch. */
  readonly at: number;
}

const MARK = 'stream';

export const writeStreamId = ({ reqId, stream, at }: StreamId): string =>
  [MARK, encodeURIComponent(reqId), stream, at].join('/');

/** Null for a message that cannot be changed. */
export function readStreamId(id: string): StreamId | null {
  const [mark, reqId, stream, at, ...more] = id.split('/');
  if (mark !== MARK || reqId === undefined || stream === undefined || !/^\d+$/.test(at ?? '') || more.length > 0)
    return null;
  try {
    return { reqId: decodeURIComponent(reqId), stream, at: Number(at) };
  } catch {
    return null;
  }
}
