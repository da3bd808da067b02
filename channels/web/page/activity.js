// @ts-check
/** An answer that has not begun after this long is not waited for any more, in milliseconds. */
const FIRST_WORD_MS = 20_000;
/** A growing answer that has not grown for this long is no longer taken for growing, in milliseconds. */
const SILENCE_MS = 120_000;

/**
 * Is the bot at work? Known by what is heard: a message was sent, typing, an answer that grows. All of it has an end
 * in time, because the one who would say the end may have died.
 * @param {(state: { running: boolean, writing: boolean }) => void} onChange `writing`: the answer's words are visible.
 */
export function createActivity(onChange) {
  /** @type {Map<string, number>} */
  const ends = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const tell = () => {
    clearTimeout(timer);
    const now = Date.now();
    for (const [what, end] of ends) if (end <= now) ends.delete(what);
    if (ends.size > 0) timer = setTimeout(tell, Math.min(...ends.values()) - now + 5);
    const writing = [...ends.keys()].some((what) => what.startsWith('answer:'));
    onChange({ running: ends.size > 0, writing });
  };
  /**
   * @param {string} what
   * @param {number} forMs
   */
  const until = (what, forMs) => {
    ends.set(what, Date.now() + forMs);
    tell();
  };

  return {
    /** A person has asked something. */
    asked: () => until('asked', FIRST_WORD_MS),
    /** @param {number} forMs */
    typing: (forMs) => until('typing', forMs),
    /**
     * An answer, or more of it.
     * @param {string} id
     * @param {boolean} growing
     */
    answer: (id, growing) => {
      ends.delete('asked');
      ends.delete('typing');
      if (growing) return until(`answer:${id}`, SILENCE_MS);
      ends.delete(`answer:${id}`);
      tell();
    },
    /** Nothing is going on, as far as the server knows. */
    rest: () => {
      ends.clear();
      tell();
    },
  };
}
