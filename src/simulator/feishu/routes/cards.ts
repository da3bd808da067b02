import { ApiError } from '../api-error.ts';
import { FLOOD } from '../limits.ts';
import { type Card, type CardElement, type CardJson, isRecord } from '../model.ts';
import { elementsOf, parsed } from '../text.ts';
import type { World } from '../world.ts';
import { checkCard, tablesIn } from './card-rules.ts';
import { type Call, type Route, text } from './context.ts';

export const createCard: Route = (call) => {
  const { world, app, body, bodyBytes } = call;
  needsScope(call);
  const json: CardJson = parsed(text(body.data));
  if (body.type !== 'card_json' || json.schema !== '2.0') throw new ApiError(300305, 'only card JSON 2.0 is supported');
  if (bodyBytes > world.limits.maxCardBytes) throw new ApiError(200860, 'card content exceeds limit');
  checkCard(json, world);
  const card: Card = {
    id: world.id('7371'),
    app,
    json,
    madeAt: world.now(),
    sequence: 0,
    uuids: new Set(),
    ...(json.config?.streaming_mode === true ? { streamingSince: world.now() } : {}),
  };
  world.cards.set(card.id, card);
  return { data: { card_id: card.id } };
};

/** The whole card anew. */
export const updateCard: Route = (call) => {
  const { world, body, bodyBytes } = call;
  const card = cardFor(call);
  if (card === undefined) return { data: {} };
  if (bodyBytes > world.limits.maxCardBytes) throw new ApiError(200860, 'card content exceeds limit');
  const data = isRecord(body.card) ? text(body.card.data) : '';
  const json: CardJson = parsed(data);
  if (json.schema !== '2.0') throw new ApiError(300305, 'only card JSON 2.0 is supported');
  checkCard(json, world);
  card.json = json;
  setStreaming(world, card, json.config?.streaming_mode === true);
  shown(world, card);
  return { data: {} };
};

export const cardSettings: Route = (call) => {
  const { world, body } = call;
  const card = cardFor(call);
  if (card === undefined) return { data: {} };
  const { config } = parsed(text(body.settings));
  if (!isRecord(config)) throw new ApiError(300305, 'settings need a config');
  card.json = { ...card.json, config: { ...card.json.config, ...config } };
  if (typeof config.streaming_mode === 'boolean') setStreaming(world, card, config.streaming_mode);
  shown(world, card);
  return { data: {} };
};

/** The text of one element, complete every time. */
export const elementContent: Route = (call) => {
  const { world, ids, body } = call;
  const content = text(body.content);
  const card = cardFor(call, (found) => {
    if (found.streamingSince === undefined) throw new ApiError(300309, 'streaming mode is closed');
    if (found.streamingSince < world.now() - world.limits.streamingMs) {
      setStreaming(world, found, false);
      throw new ApiError(200850, 'card streaming timeout');
    }
    if (!elementsOf(found.json).some(({ element_id: id }) => id === ids[1]))
      throw new ApiError(300313, 'element not found');
    if (content === '' || [...content].length > world.limits.maxElementChars)
      throw new ApiError(300305, 'invalid content');
    if (tablesIn(content) > world.limits.maxCardTables) throw new ApiError(11310, 'card table number over limit');
  });
  if (card === undefined) return { data: {} };
  const replaced = (element: CardElement): CardElement =>
    element.element_id === ids[1] ? { ...element, content } : element;
  card.json = { ...card.json, body: { elements: elementsOf(card.json).map(replaced) } };
  shown(world, card);
  return { data: {} };
};

export const addElements: Route = (call) => {
  const { world, body } = call;
  const added: unknown = JSON.parse(text(body.elements) || '[]');
  const card = cardFor(call);
  if (card === undefined) return { data: {} };
  const json = { ...card.json, body: { elements: [...elementsOf(card.json), ...(Array.isArray(added) ? added : [])] } };
  checkCard(json, world);
  card.json = json;
  shown(world, card);
  return { data: {} };
};

/** The card of a message that was sent as one. */
export const convertCardId: Route = (call) => {
  needsScope(call);
  const card = call.world.message(text(call.body.message_id))?.card;
  if (card === undefined || card.app !== call.app) throw new ApiError(200740, 'card id is invalid');
  return { data: { card_id: card.id } };
};

/** The card of a call, if the call may change it; undefined when its uuid was seen before. */
function cardFor(call: Call, check: (card: Card) => void = () => {}): Card | undefined {
  const { world, app, ids, body, flood } = call;
  needsScope(call);
  const card = world.cards.get(ids[0] ?? '');
  if (card === undefined || card.app !== app) throw new ApiError(200740, 'card id is invalid');
  if (card.madeAt < world.now() - world.limits.cardLifeMs) throw new ApiError(200750, 'card has expired');
  if (card.message?.recalledAt !== undefined) throw new ApiError(200740, 'card id is invalid');
  flood?.count(`card ${card.id}`, FLOOD.cardPerSecond);
  const uuid = text(body.uuid);
  if (uuid !== '' && card.uuids.has(uuid)) return undefined;
  const { sequence } = body;
  if (typeof sequence !== 'number' || !Number.isInteger(sequence) || sequence < 1 || sequence > 0x7fffffff) {
    throw new ApiError(300305, 'invalid sequence');
  }
  if (sequence <= card.sequence) throw new ApiError(300317, 'sequence number compare failed');
  check(card);
  card.sequence = sequence;
  if (uuid !== '') card.uuids.add(uuid);
  return card;
}

function needsScope({ app }: Call): void {
  if (app.lacks.has('cardkit:card:write'))
    throw new ApiError(99991672, 'Access denied. One of the following scopes is required: [cardkit:card:write]');
}

function setStreaming(world: World, card: Card, on: boolean): void {
  if (on) card.streamingSince ??= world.now();
  else delete card.streamingSince;
}

function shown(world: World, card: Card): void {
  if (card.message !== undefined) world.changed(card.message);
}
