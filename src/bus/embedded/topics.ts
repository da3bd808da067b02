import type { Logger } from '../../base/logger.ts';

type Listener = (data: string) => void;

/** Who listens to what is broadcast within one process. */
export interface Topics {
  publish(topic: string, data: string): void;
  /** Returns the function that ends the subscription. */
  subscribe(topic: string, listener: Listener): () => void;
  end(): void;
}

export function createTopics(log: Logger): Topics {
  // Each subscription is an object of its own, so that the same function may listen twice.
  const topics = new Map<string, Set<{ readonly listener: Listener }>>();
  return {
    publish: (topic, data) => {
      // Never within the caller's own call: listeners must not be able to break it or to run ahead of it.
      setImmediate(() => {
        for (const { listener } of [...(topics.get(topic) ?? [])]) {
          try {
            listener(data);
          } catch (error) {
            log.error({ topic, err: error }, 'a listener failed');
          }
        }
      });
    },
    subscribe: (topic, listener) => {
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners);
      const subscription = { listener };
      listeners.add(subscription);
      return () => {
        listeners.delete(subscription);
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic);
      };
    },
    end: () => topics.clear(),
  };
}
