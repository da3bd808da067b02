import ipaddr from 'ipaddr.js';
import { WEB_PORTS } from './limits.ts';

/** A service that an admin has opened although it is not on the public internet. */
export interface AllowedService {
  /** In lower case; null when it is named by its address. */
  readonly host: string | null;
  readonly range: readonly [ipaddr.IPv4 | ipaddr.IPv6, number] | null;
  readonly ports: readonly number[];
}

const ENTRY = /^(?:\[(?<v6>[^\]]+)\](?<v6prefix>\/\d+)?|(?<name>[^[\]:]+))(?::(?<port>\d{1,5}))?$/;
const HOST = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/**
 * Reads `10.0.0.5:8888`, `10.0.0.0/24`, `[fd00::1]:8080`, `fd00::/8`, `searxng:8080` or `wiki.lan`. Without a port it
 * means the usual ports of the web. Null for anything else.
 */
export function parseAllowed(entry: string): AllowedService | null {
  const text = entry.trim().toLowerCase();
  if (text.includes('%')) return null; // a zone is a link of this machine
  // IPv6 without brackets has no port: all its colons are its own.
  if (text.split(':').length > 2 && !text.startsWith('[')) return service(text, undefined);
  const { v6, v6prefix = '', name, port } = ENTRY.exec(text)?.groups ?? {};
  if (v6 !== undefined) return ipaddr.IPv6.isValid(v6) ? service(v6 + v6prefix, port) : null;
  return name === undefined ? null : service(name, port);
}

function service(name: string, port: string | undefined): AllowedService | null {
  const number = port === undefined ? null : Number(port);
  if (number !== null && (number < 1 || number > 65_535)) return null;
  const ports = number === null ? WEB_PORTS : [number];
  if (ipaddr.isValidCIDR(name)) return { host: null, range: ipaddr.parseCIDR(name), ports };
  if (ipaddr.IPv6.isValid(name) || ipaddr.IPv4.isValidFourPartDecimal(name)) {
    const address = ipaddr.parse(name);
    return { host: null, range: [address, address.kind() === 'ipv4' ? 32 : 128], ports };
  }
  // A last part that is a number makes an address of it, in one of the spellings that hide where it leads.
  return HOST.test(name) && !/(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(name) ? { host: name, range: null, ports } : null;
}

/** Whether one of the services is meant by this host or by the address that it has. */
export function isAllowed(
  services: readonly AllowedService[],
  { host, port, address }: { readonly host: string; readonly port: number; readonly address: string },
): boolean {
  return services.some(({ host: name, range, ports }) => {
    if (!ports.includes(port)) return false;
    if (name !== null) return name === host;
    const parsed = ipaddr.parse(address);
    return range !== null && parsed.kind() === range[0].kind() && parsed.match(range[0], range[1]);
  });
}
