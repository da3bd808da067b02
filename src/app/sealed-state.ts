import type { Secrets } from '../admin/secrets.ts';
import type { ChannelState } from '../channel/port.ts';

/** A channel's memory whose values are encrypted before they are stored, each bound to its channel and key. */
export function sealedState(state: ChannelState, channel: string, secrets: Secrets): ChannelState {
  const purpose = (key: string): string => `channel/${channel}/${key}`;
  return {
    get: async (key) => {
      const sealed = await state.get(key);
      return sealed === null ? null : secrets.open(sealed, purpose(key));
    },
    set: async (key, value) => state.set(key, await secrets.seal(value, purpose(key))),
  };
}
