/** The ports of web servers; a URL with any other one is more likely aimed at a database than at a page. */
export const WEB_PORTS: readonly number[] = [80, 443, 8080, 8443];
export const MAX_URL_CHARS = 4_000;
export const MAX_REDIRECTS = 5;
export const MAX_ENCODINGS = 2;
export const RESOLVE_TIMEOUT_MS = 5_000;
export const CONNECT_TIMEOUT_MS = 10_000;
/** Without a byte for this long, the other side is given up. */
export const IDLE_TIMEOUT_MS = 15_000;
