export interface Awaited<Message> {
  /** What is there already and would do. */
  readonly present: Message | undefined;
  /** Hands every message that is new or changed to `look` until the returned function is called. */
  readonly subscribe: (look: (message: Message) => void) => () => void;
  readonly matches: (message: Message) => boolean;
  /** What the chat shows instead, a line a message. */
  readonly shown: () => readonly string[];
  /** Default: 5 s. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Resolves with the first message, present or to come, that satisfies `matches`.
 * @throws Error after `timeoutMs`, naming what the chat shows instead.
 */
export async function waitForMessage<Message>(wanted: Awaited<Message>): Promise<Message> {
  const { present, subscribe, matches, shown, timeoutMs = 5_000 } = wanted;
  if (present !== undefined) return present;
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const unsubscribe = subscribe((message) => {
    if (matches(message)) resolve(message);
  });
  const timer = setTimeout(() => {
    reject(new Error(`No such message came within ${timeoutMs} ms; the chat shows:\n${shown().join('\n')}`));
  }, timeoutMs);
  return promise.finally(() => {
    clearTimeout(timer);
    unsubscribe();
  });
}
