import { ApiError } from '../api-error.ts';
import { accountMethods } from './account.ts';
import { chatMethods } from './chats.ts';
import type { Method } from './context.ts';
import { fileMethods } from './files.ts';
import { messageMethods } from './messages.ts';
import { updateMethods } from './updates.ts';

const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({ ...accountMethods, ...updateMethods, ...messageMethods, ...chatMethods, ...fileMethods }).map(
    ([name, method]) => [name.toLowerCase(), method],
  ),
);

/** Finds a method by its name, in any case. */
export function methodNamed(name: string): Method {
  const method = methods.get(name.toLowerCase());
  if (method === undefined) throw new ApiError(404, 'Not Found: method not found');
  return method;
}
