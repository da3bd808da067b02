import { didYouMean } from '../base/near.ts';
import type { Manifest } from '../channel/port.ts';
import { webhookUrl } from '../channel/webhook-url.ts';
import type { Path } from './path.ts';
import { type ChannelCommon, channelSchema } from './schema/channel.ts';
import type { ChannelConfig } from './schema/config.ts';
import { fieldsOf } from './shape.ts';
import { unknownKeys } from './unknown-keys.ts';
import { type Finding, validate, type Written } from './validate.ts';

/** A channel before the names in it are checked. */
export type RawChannel = Omit<ChannelConfig, 'assistant_id'> & { readonly assistant_id: string | undefined };

export interface ReadChannel {
  /** Null when something in it is wrong. */
  readonly channel: RawChannel | null;
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

const commonKeys = [...(fieldsOf(channelSchema)?.keys() ?? [])];

/**
 * Checks one entry of `channels`: the common keys by our schema, all others by the manifest's. What only a running
 * channel needs is not asked of a disabled one. `publicUrl`: `server.public_url`.
 */
export function readChannel(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  manifests: readonly Manifest[],
  written: Written,
  publicUrl: string | undefined,
): ReadChannel {
  const path: Path = ['channels', name];
  const isCommon = ([key]: readonly [string, unknown]): boolean => commonKeys.includes(key);
  const common = Object.fromEntries(Object.entries(entry).filter(isCommon));
  const own = Object.fromEntries(Object.entries(entry).filter((pair) => !isCommon(pair)));

  const shared = validate(channelSchema, common, path, written);
  const type = shared.value?.type ?? (typeof common.type === 'string' ? common.type : name);
  const manifest = manifests.find((candidate) => candidate.type === type);
  if (manifest === undefined) {
    const unknown = unknownType(path, type, common.type === undefined, manifests);
    return { channel: null, findings: [unknown, ...shared.findings], warnings: [] };
  }

  const settings =
    shared.value?.enabled === false
      ? { value: undefined, findings: misspelt(manifest, own, path) }
      : validate(manifest.config, own, path, written, commonKeys);
  const findings = [
    ...shared.findings,
    ...settings.findings,
    ...(settings.value === undefined ? [] : impossible(manifest, settings.value, name, publicUrl)),
  ];
  if (shared.value === undefined || findings.some((finding) => finding.part === 'value'))
    return { channel: null, findings, warnings: [] };
  const { assistant_id, ...rest } = shared.value;
  const channel = { ...rest, name, type: manifest.type, assistant_id, settings: settings.value };
  return { channel, findings, warnings: rest.enabled ? emptyLists(path, rest) : [] };
}

/** What is wrong only together with what is around the channel. */
function impossible(manifest: Manifest, settings: unknown, name: string, publicUrl: string | undefined): Finding[] {
  // A public address that is none is reported where it stands, not once more here.
  const url = publicUrl !== undefined && URL.canParse(publicUrl) ? webhookUrl(publicUrl, name) : publicUrl;
  const found = manifest.problemOf?.(settings, { webhookUrl: url }) ?? null;
  return found === null ? [] : [{ path: ['channels', name, found.key], part: 'value', message: found.problem }];
}

const misspelt = (manifest: Manifest, own: unknown, path: Path): Finding[] =>
  unknownKeys(manifest.config, own, path, commonKeys).map((key) => ({ ...key, part: 'key' }));

function unknownType(path: Path, type: string, isName: boolean, manifests: readonly Manifest[]): Finding {
  const types = manifests.map((manifest) => manifest.type);
  const near = didYouMean(type, types) || `; this Antler has ${types.join(', ')}`;
  if (!isName) return { path: [...path, 'type'], part: 'value', message: `unknown channel type "${type}"${near}` };
  return {
    path,
    part: 'key',
    message: `unknown channel type "${type}"${near} (give a channel of another name its "type")`,
  };
}

function emptyLists(path: Path, { access }: Pick<ChannelCommon, 'access'>): Finding[] {
  const warning = (list: string, who: string): Finding => ({
    path: [...path, 'access', list],
    part: 'value',
    message: `the list is empty, so ${who}`,
  });
  return [
    ...(access.dm === 'allowlist' && access.allow_users.length + access.admins.length === 0
      ? [warning('allow_users', 'nobody can write to the bot directly')]
      : []),
    ...(access.groups === 'allowlist' && access.allow_groups.length === 0
      ? [warning('allow_groups', 'the bot answers in no group')]
      : []),
  ];
}
