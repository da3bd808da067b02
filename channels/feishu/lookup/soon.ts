/** What comes of it before the time is over; undefined otherwise, and when it fails. */
export async function soon<Value>(wanted: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  if (signal.aborted) return undefined;
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const giveUp = (): void => resolve(undefined);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([wanted.catch(() => undefined), over]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
