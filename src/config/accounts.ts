import type { Manifest } from '../channel/port.ts';
import type { RawChannel } from './channels.ts';
import type { Finding } from './validate.ts';

/** Enabled channels that are the same bot on its platform: they would take each other's messages away. */
export function sharedAccounts(channels: readonly RawChannel[], manifests: readonly Manifest[]): Finding[] {
  const owners = new Map<string, string>();
  return channels
    .filter(({ enabled }) => enabled)
    .flatMap(({ name, type, settings }): Finding[] => {
      const account = manifests.find((manifest) => manifest.type === type)?.account?.(settings);
      if (account === undefined) return [];
      const id = JSON.stringify([type, account.id]);
      const owner = owners.get(id);
      owners.set(id, owner ?? name);
      if (owner === undefined) return [];
      const message = `this is the bot of channel "${owner}" already; give "${name}" one of its own, or disable one of them`;
      return [{ path: ['channels', name, account.key], part: 'value', message }];
    });
}
