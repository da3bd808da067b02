import type { Journal } from './journal.ts';

/** The channels that an admin holds still. Reads cost nothing, also within steps. */
export interface PausedChannels {
  has(channel: string): boolean;
  list(): string[];
  add(channel: string): Promise<void>;
  delete(channel: string): Promise<void>;
}

export function createPausedChannels(journal: Journal): PausedChannels {
  const insert = journal.prepare('INSERT OR IGNORE INTO paused_channel(name) VALUES (?)');
  const remove = journal.prepare('DELETE FROM paused_channel WHERE name = ?');
  const stored = journal.prepare<{ name: string }>('SELECT name FROM paused_channel').all();
  const names = new Set(stored.map((row) => row.name));
  return {
    has: (channel) => names.has(channel),
    list: () => [...names].sort(),
    add: async (channel) => {
      await journal.write(() => insert.run(channel));
      names.add(channel);
    },
    delete: async (channel) => {
      await journal.write(() => remove.run(channel));
      names.delete(channel);
    },
  };
}
