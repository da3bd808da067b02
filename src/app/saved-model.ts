import type { ModelSettings, SavedModel } from '../admin/model-settings.ts';
import type { Clock } from '../base/clock.ts';
import type { MessageBus } from '../bus/port.ts';

const TOPIC = 'settings/model';
/** A broadcast can be lost; then a change counts after this. */
const TRUST_MS = 10_000;

/**
 * The model settings as one process sees them: read from the database once, told to every other process when they
 * change. Workers ask at each turn, so they must not go to the database each time.
 */
export function sharedModelSettings(settings: ModelSettings, bus: MessageBus, clock: Clock): ModelSettings {
  let known: { readonly model: SavedModel | null; readonly at: number } | null = null;
  bus.subscribe(TOPIC, () => {
    known = null;
  });
  const changed = (): void => {
    known = null;
    bus.broadcast(TOPIC, '');
  };
  return {
    read: async () => {
      if (known === null || clock.now() - known.at > TRUST_MS)
        known = { model: await settings.read(), at: clock.now() };
      return known.model;
    },
    info: () => settings.info(),
    save: async (model) => {
      await settings.save(model);
      changed();
    },
    clear: async () => {
      await settings.clear();
      changed();
    },
  };
}
