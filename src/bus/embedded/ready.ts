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

/** An item is passed over so often because its user had no place; then it keeps its chat's while it waits for theirs. */
const MOST_PASSES = 3;

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
  /** How often an item's chat had a place, and its user had none. */
  const passes = new Map<Item, number>();
  /**
   * By chat, the one item that waits with a place of it: otherwise two places that are never free at once would keep it
   * out for ever. `called`: those of them whose user has got a place back.
   */
  const keepers = new Map<string, Item>();
  const called = new Map<Item, Seat>();
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
  const takeFrom = (chat: string, items: Map<Item, Seat>): Item | undefined => {
    for (const [item, seat] of items) {
      if (inChats.isFull(chat)) return undefined;
      items.delete(item);
      if (!byUsers.isFull(seat.user)) return item;
      passOver(item, seat);
    }
    return undefined;
  };
  const passOver = (item: Item, seat: Seat): void => {
    put(ofFullUsers, seat.user, item, seat);
    const times = (passes.get(item) ?? 0) + 1;
    passes.set(item, times);
    if (times < MOST_PASSES || keepers.has(seat.chat)) return;
    keepers.set(seat.chat, item);
    inChats.take(seat.chat);
  };
  const takeCalled = (): { readonly item: Item; readonly seat: Seat } | undefined => {
    for (const [item, seat] of called) {
      called.delete(item);
      if (byUsers.isFull(seat.user)) {
        put(ofFullUsers, seat.user, item, seat);
        continue;
      }
      keepers.delete(seat.chat);
      byUsers.take(seat.user);
      forget(item);
      return { item, seat };
    }
    return undefined;
  };
  const forget = (item: Item): void => {
    seats.delete(item);
    passes.delete(item);
  };
  const freeChat = (chat: string): void => {
    inChats.giveBack(chat);
    const waiting = fullChats.get(chat);
    if (waiting === undefined) return;
    fullChats.delete(chat);
    chats.set(chat, waiting);
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
      forget(item);
      called.delete(item);
      if (keepers.get(seat.chat) === item) {
        keepers.delete(seat.chat);
        freeChat(seat.chat);
      }
      remove(chats, seat.chat, item);
      remove(fullChats, seat.chat, item);
      remove(ofFullUsers, seat.user, item);
    },
    take: () => {
      const before = takeCalled();
      if (before !== undefined) return before;
      for (const [chat, items] of chats) {
        chats.delete(chat);
        const item = takeFrom(chat, items);
        const seat = item === undefined ? undefined : seats.get(item);
        if (item === undefined || seat === undefined) {
          if (items.size > 0) fullChats.set(chat, items);
          continue;
        }
        forget(item);
        inChats.take(chat);
        byUsers.take(seat.user);
        if (items.size > 0) (inChats.isFull(chat) ? fullChats : chats).set(chat, items);
        return { item, seat };
      }
      return undefined;
    },
    giveBack: ({ chat, user }) => {
      freeChat(chat);
      byUsers.giveBack(user);
      const barred = ofFullUsers.get(user);
      ofFullUsers.delete(user);
      for (const [item, seat] of barred ?? []) {
        if (keepers.get(seat.chat) === item) called.set(item, seat);
        else enter(item, seat);
      }
    },
  };
}
