import type { ChatRequest, Usage } from './wire.ts';

/** One piece of a reply, written when its turn comes. `delayMs` waits before it. */
export type Part =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string; readonly delayMs?: number }
  /** `arguments`: a value to be written as JSON, or a string to be written as it is. */
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: unknown; readonly id?: string }
  | { readonly kind: 'wait'; readonly ms: number }
  /** A chunk as it is, to play endpoints that leave out or misplace fields. */
  | { readonly kind: 'chunk'; readonly chunk: object }
  /** Bytes as they are, outside of any event. */
  | { readonly kind: 'bytes'; readonly bytes: string | Uint8Array }
  /** An error object inside the stream, after which it ends. */
  | { readonly kind: 'error'; readonly error: object }
  /** Cuts the connection. */
  | { readonly kind: 'cut' }
  /** Ends the body properly, but with neither a finish reason nor `[DONE]`. */
  | { readonly kind: 'end' }
  /** Keeps the connection open without another byte. */
  | { readonly kind: 'hang' };

/** What the model does with one request. */
export type Step =
  | { readonly parts: readonly Part[]; readonly finish?: string; readonly usage?: Usage }
  | {
      readonly status: number;
      /** A message to be put into an error object, or a whole body. */
      readonly error: string | object;
      /** For the header, in seconds. */
      readonly retryAfter?: number;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** Decides by the request; undefined leaves it to the demo rules, or to a refusal where they are off. */
export type Handler = (request: ChatRequest) => Step | undefined | Promise<Step | undefined>;

/** A reply that is all text, streamed in the given pieces. */
export const text = (...pieces: readonly string[]): Step => ({
  parts: pieces.map((piece) => ({ kind: 'text', text: piece })),
});

/** A reply that calls tools, in order. */
export const tools = (...calls: readonly (readonly [name: string, args: unknown])[]): Step => ({
  parts: calls.map(([name, args]) => ({ kind: 'tool', name, arguments: args })),
});

/** A refusal with an HTTP status. */
export const refuse = (status: number, error: string | object, retryAfter?: number): Step => ({
  status,
  error,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/**
 * Cuts text into what reads like a model's tokens: words with the space before them, and single Han characters.
 * Joined again they are the text.
 */
export const words = (source: string): readonly string[] =>
  source.match(/\s*\p{Script=Han}|\s*[^\s\p{Script=Han}]+|\s+/gu) ?? [];
