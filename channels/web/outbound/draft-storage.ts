import { limits } from '../limits.ts';

/** Decides which stands of growing answers are worth a write to the database. */
export interface DraftStorage {
  /** May this stand be skipped? Notes the time when not. */
  skip(messageId: string, now: number): boolean;
  /** The answer is complete. */
  forget(messageId: string): void;
}

/** Bounded: the answer that was stored longest ago is forgotten, and its next stand is simply stored. */
export function draftStorage(): DraftStorage {
  const storedAt = new Map<string, number>();
  return {
    skip: (messageId, now) => {
      const last = storedAt.get(messageId);
      if (last !== undefined && now - last < limits.storeDraftMs) return true;
      storedAt.delete(messageId);
      storedAt.set(messageId, now);
      if (storedAt.size > limits.maxDrafts) storedAt.delete(storedAt.keys().next().value ?? messageId);
      return false;
    },
    forget: (messageId) => {
      storedAt.delete(messageId);
    },
  };
}
