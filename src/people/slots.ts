/** Something that counts over all processes: a key is held by whoever took it until its time is up or it is given back. */
export interface Slots {
  /** False: somebody has it. */
  take(key: string, holdMs: number): Promise<boolean>;
  give(key: string): Promise<void>;
}

/** Takes one of `count` slots named `name`; null when all are taken. */
export async function takeSlot(slots: Slots, name: string, count: number, holdMs: number): Promise<string | null> {
  for (const key of slotKeys(name, count)) if (await slots.take(key, holdMs)) return key;
  return null;
}

export const slotKeys = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `${name}/${n}`);
