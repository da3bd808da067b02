/** All of WeChat's own servers are below it. */
const OWN = /(?:^|\.)weixin\.qq\.com$/;

/**
 * An address that WeChat told us, when it is one that may see a token or hand out files: a server of WeChat's own by
 * https, or the very host that the configuration names. Null for any other.
 */
export function trusted(address: string, configured: string): string | null {
  const url = URL.parse(address);
  const home = URL.parse(configured);
  if (url === null || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:' && OWN.test(url.hostname) && url.port === '') return address;
  return url.hostname === home?.hostname && url.protocol === home.protocol ? address : null;
}
