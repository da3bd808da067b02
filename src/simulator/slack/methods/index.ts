import { ApiError } from '../api-error.ts';
import { chatMethods } from './chat.ts';
import type { Method } from './context.ts';
import { fileMethods } from './files.ts';
import { peopleMethods } from './people.ts';
import { streamMethods } from './stream.ts';

export type { Call, Method } from './context.ts';

const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({ ...peopleMethods, ...chatMethods, ...streamMethods, ...fileMethods }),
);

export function methodNamed(name: string): Method {
  const method = methods.get(name);
  if (method === undefined) throw new ApiError('unknown_method', { req_method: name });
  return method;
}
