/** Items in order of arrival within a chat, and chats in turn: one with many items cannot starve another. */
export interface ReadyQueue<Item> {
  /** Adding what is there already changes nothing. */
  add(chat: string, item: Item): void;
  take(): Item | undefined;
}

export function createReadyQueue<Item>(): ReadyQueue<Item> {
  // Maps and sets keep the order of insertion: the first chat is the next one.
  const chats = new Map<string, Set<Item>>();
  return {
    add: (chat, item) => {
      const items = chats.get(chat);
      if (items === undefined) chats.set(chat, new Set([item]));
      else items.add(item);
    },
    take: () => {
      for (const [chat, items] of chats) {
        chats.delete(chat);
        for (const item of items) {
          items.delete(item);
          if (items.size > 0) chats.set(chat, items);
          return item;
        }
      }
      return undefined;
    },
  };
}
