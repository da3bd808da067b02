import { escapeHtml } from '../../../src/base/html.ts';

const schemes = new Set(['http:', 'https:', 'mailto:']);

/** The address in the browser's own spelling, or null when it is anything but http, https or mailto. */
export function safeAddress(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed !== null && schemes.has(parsed.protocol) ? parsed.href : null;
}

/** An anchor around ready HTML; just the HTML where the address is not one to follow. */
export function anchor(url: string, html: string): string {
  const address = safeAddress(url);
  if (address === null) return html;
  return `<a href="${escapeHtml(address)}" target="_blank" rel="noopener noreferrer nofollow">${html}</a>`;
}
