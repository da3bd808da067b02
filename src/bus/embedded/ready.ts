import type { Places } from '../port.ts';

/** Whom an item takes a place of. */
export interface Seat {
  readonly chat: string;
  readonly user: string;
}

/**
 * Items in order of arrival within a chat, and chats in turn: one with many items cannot starve another. What is taken
 * holds a place of its chat and one of its user until it is given back; who has none left is passed over.
 */
export interface ReadyQueue<Item> {
  /** Adding what is there already changes nothing. */
  add(item: Item, seat: Seat): void;
  delete(item: Item): void;
  take(): { readonly item: Item; readonly seat: Seat } | undefined;
  giveBack(seat: Seat): void;
}

/** Counts what is taken under each name. */
function createCounter(most: number) {
  const counts = new Map<string, number>();
  return {
    isFull: (name: string): boolean => (counts.get(name) ?? 0) >= most,
    take: (name: string): void => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    giveBack: (name: string): void => {
      const left = (counts.get(name) ?? 1) - 1;
      if (left > 0) counts.set(name, left);
      else counts.delete(name);
    },
  };
}

export function createReadyQueue<Item>(places: Places): ReadyQueue<Item> {
  // Maps keep the order of insertion: the first chat is the next one. Chats and items that have no place wait apart, so
  // that taking never looks at them.
  const chats = new Map<string, Map<Item, Seat>>();
  const fullChats = new Map<string, Map<Item, Seat>>();
  const ofFullUsers = new Map<string, Map<Item, Seat>>();
  const seats = new Map<Item, Seat>();
  const inChats = createCounter(places.chat);
  const byUsers = createCounter(places.user);

  const put = (groups: Map<string, Map<Item, Seat>>, name: string, item: Item, seat: Seat): void => {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, new Map([[item, seat]]));
    else group.set(item, seat);
  };
  const remove = (groups: Map<string, Map<Item, Seat>>, name: string, item: Item): void => {
    const group = groups.get(name);
    if (group?.delete(item) === true && group.size === 0) groups.delete(name);
  };
  const enter = (item: Item, seat: Seat): void =>
    put(inChats.isFull(seat.chat) ? fullChats : chats, seat.chat, item, seat);

  /** The chat's first item whose user has a place; those before it that have none wait apart. */
  const takeFrom = (items: Map<Item, Seat>): Item | undefined => {
    for (const [item, seat] of items) {
      items.delete(item);
      if (!byUsers.isFull(seat.user)) return item;
      put(ofFullUsers, seat.user, item, seat);
    }
    return undefined;
  };

  return {
    add: (item, seat) => {
      if (seats.has(item)) return;
      seats.set(item, seat);
      enter(item, seat);
    },
    delete: (item) => {
      const seat = seats.get(item);
      if (seat === undefined) return;
      seats.delete(item);
      remove(chats, seat.chat, item);
      remove(fullChats, seat.chat, item);
      remove(ofFullUsers, seat.user, item);
    },
    take: () => {
      for (const [chat, items] of chats) {
        chats.delete(chat);
        const item = takeFrom(items);
        const seat = item === undefined ? undefined : seats.get(item);
        if (item === undefined || seat === undefined) continue;
        seats.delete(item);
        inChats.take(chat);
        byUsers.take(seat.user);
        if (items.size > 0) (inChats.isFull(chat) ? fullChats : chats).set(chat, items);
        return { item, seat };
      }
      return undefined;
    },
    giveBack: ({ chat, user }) => {
      inChats.giveBack(chat);
      byUsers.giveBack(user);
      const waiting = fullChats.get(chat);
      if (waiting !== undefined) {
        fullChats.delete(chat);
        chats.set(chat, waiting);
      }
      const barred = ofFullUsers.get(user);
      ofFullUsers.delete(user);
      for (const [item, seat] of barred ?? []) enter(item, seat);
    },
  };
}
