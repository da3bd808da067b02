import type { z } from 'zod';
import type { Manifest } from '../channel/port.ts';
import { isMapping } from './path.ts';
import { type Config, configSchema } from './schema/config.ts';
import { childShape, shapeOf } from './shape.ts';

/** A copy of the configuration that may be shown: what a schema marks as secret reads `***`. */
export function maskSecrets(config: Config, manifests: readonly Manifest[]): unknown {
  return mapSecrets(config, manifests, mask);
}

/** Every secret in the configuration, for the logger to keep out of its lines. */
export function listSecrets(config: Config, manifests: readonly Manifest[]): string[] {
  const found = new Set<string>();
  mapSecrets(config, manifests, (secret) => {
    for (const part of partsOf(secret)) found.add(part);
    return secret;
  });
  found.delete('');
  return [...found];
}

function mapSecrets(config: Config, manifests: readonly Manifest[], map: (secret: string) => string): unknown {
  const channels = Object.entries(config.channels).map(([name, channel]) => {
    const manifest = manifests.find((candidate) => candidate.type === channel.type);
    const settings = manifest === undefined ? channel.settings : walk(manifest.config, channel.settings, map);
    return [name, { ...channel, settings }];
  });
  const rest = walk(configSchema, { ...config, channels: {} }, map);
  return isMapping(rest) ? { ...rest, channels: Object.fromEntries(channels) } : rest;
}

function walk(schema: z.core.$ZodType | null, value: unknown, map: (secret: string) => string): unknown {
  if (schema === null) return value;
  if (typeof value === 'string') return shapeOf(schema).secret ? map(value) : value;
  if (Array.isArray(value)) return value.map((item, index) => walk(childShape(schema, index), item, map));
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, walk(childShape(schema, key), item, map)]),
  );
}

/** Of a URL, the host may be seen: it is what an admin needs to tell two servers apart. */
function mask(secret: string): string {
  if (secret === '') return '';
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(secret) || !URL.canParse(secret)) return '***';
  const { protocol, username, password, host, pathname } = new URL(secret);
  const login = username === '' && password === '' ? '' : '***@';
  return `${protocol}//${login}${host}${pathname}`;
}

function partsOf(secret: string): string[] {
  if (!URL.canParse(secret)) return [secret];
  const { password, searchParams } = new URL(secret);
  if (!secret.includes('://')) return [secret];
  return [password, safeDecode(password), searchParams.get('password') ?? ''];
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
