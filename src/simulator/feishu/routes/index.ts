import { botInfo, getChat, getParents, getUser } from './accounts.ts';
import { addElements, cardSettings, convertCardId, createCard, elementContent, updateCard } from './cards.ts';
import type { Route } from './context.ts';
import { getResource, uploadFile, uploadImage } from './media.ts';
import {
  createMessage,
  createReaction,
  deleteMessage,
  deleteReaction,
  getMessage,
  listMessages,
  patchMessage,
  replyMessage,
  updateMessage,
} from './messages.ts';

/** Every call of the open API that the simulator knows, by method and path below `/open-apis`. */
export const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['GET /bot/v3/info', botInfo],
  ['GET /contact/v3/users/:id', getUser],
  ['GET /contact/v3/departments/parent', getParents],
  ['GET /im/v1/chats/:id', getChat],
  ['POST /im/v1/messages', createMessage],
  ['GET /im/v1/messages', listMessages],
  ['GET /im/v1/messages/:id', getMessage],
  ['PUT /im/v1/messages/:id', updateMessage],
  ['PATCH /im/v1/messages/:id', patchMessage],
  ['DELETE /im/v1/messages/:id', deleteMessage],
  ['POST /im/v1/messages/:id/reply', replyMessage],
  ['GET /im/v1/messages/:id/resources/:id', getResource],
  ['POST /im/v1/messages/:id/reactions', createReaction],
  ['DELETE /im/v1/messages/:id/reactions/:id', deleteReaction],
  ['POST /im/v1/images', uploadImage],
  ['POST /im/v1/files', uploadFile],
  ['POST /cardkit/v1/cards', createCard],
  ['POST /cardkit/v1/cards/id_convert', convertCardId],
  ['PUT /cardkit/v1/cards/:id', updateCard],
  ['PATCH /cardkit/v1/cards/:id/settings', cardSettings],
  ['POST /cardkit/v1/cards/:id/elements', addElements],
  ['PUT /cardkit/v1/cards/:id/elements/:id/content', elementContent],
]);

/** The name of a call, and the ids in its path. A fixed name wins over an id. */
export function routeOf(method: string, path: string): { readonly name: string; readonly ids: readonly string[] } {
  const exact = `${method} ${path}`;
  if (routes.has(exact)) return { name: exact, ids: [] };
  for (const name of routes.keys()) {
    const [verb = '', pattern = ''] = name.split(' ');
    if (verb !== method) continue;
    const match = new RegExp(`^${pattern.replaceAll(':id', '([^/]+)')}$`).exec(path);
    if (match !== null) return { name, ids: match.slice(1).map(decodeURIComponent) };
  }
  return { name: exact, ids: [] };
}
