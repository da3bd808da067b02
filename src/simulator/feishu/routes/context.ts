import type { Upload } from '../../kit/multipart.ts';
import type { Flood } from '../flood.ts';
import type { App } from '../model.ts';
import type { World } from '../world.ts';

/** One call of an app. */
export interface Call {
  readonly world: World;
  readonly app: App;
  readonly flood: Flood | undefined;
  /** The ids in the path, in order. */
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly bodyBytes: number;
  readonly uploads: ReadonlyMap<string, Upload>;
}

/** What a call answers: `data`, or the whole body where the API is older than that, or bytes. */
export type Answer =
  | { readonly data: unknown }
  | { readonly whole: object }
  | { readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> };

export type Route = (call: Call) => Answer;

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
