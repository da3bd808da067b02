import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * `public`: somewhere on the internet. `private`: of this machine or of a network around it, where a service may be that
 * an admin has opened. `forbidden`: never dialled, whatever is configured.
 */
export type AddressKind = 'public' | 'private' | 'forbidden';

/** Where clouds hand out their machines' credentials; all but the first two lie in ranges that look harmless. */
const METADATA: ReadonlySet<string> = new Set([
  '169.254.169.254', // AWS, GCP, Azure, …
  '169.254.170.2', // AWS ECS
  '100.100.100.200', // Alibaba Cloud
  '168.63.129.16', // Azure's platform channel, in public space
  'fd00:ec2::254', // AWS over IPv6
  'fd20:ce::254', // GCP over IPv6
]);

/** What an admin may open. Link-local is not among them: nothing but metadata services is found there. */
const PRIVATE: ReadonlySet<string> = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']);

/** All of today's public IPv6 (RFC 4291, 2.4); the rest of the space is reserved or means something else. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Documentation (RFC 9637), which ipaddr.js takes for usual. */
const MORE_RESERVED_V6 = [ipaddr.IPv6.parseCIDR('3fff::/20')];

/**
 * What kind of place an address is. Addresses that carry an IPv4 address in them (mapped, NAT64, 6to4, Teredo) are
 * forbidden as a whole: where they lead is decided by routers that we do not know.
 */
export function addressKind(address: string): AddressKind {
  if (!isAddress(address) || address.includes('%')) return 'forbidden'; // a zone names a link of this machine
  const parsed = ipaddr.parse(address);
  if (METADATA.has(parsed.toString())) return 'forbidden';
  const range = parsed.range();
  if (PRIVATE.has(range)) return 'private';
  if (range !== 'unicast') return 'forbidden';
  if (parsed instanceof ipaddr.IPv4) return 'public';
  const isGlobal = parsed.match(GLOBAL_V6) && !MORE_RESERVED_V6.some((reserved) => parsed.match(reserved));
  return isGlobal ? 'public' : 'forbidden';
}

/** Whether the host of a URL is an address itself, which no resolver is ever asked about. */
export const isAddress = (host: string): boolean => isIP(host) !== 0;
