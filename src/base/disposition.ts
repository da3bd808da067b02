/**
 * The file's name in a `content-disposition` header, as it was given: nothing says that it is safe. The extended form
 * wins over the plain one, whose bytes many servers send as UTF-8. https://www.rfc-editor.org/rfc/rfc6266#section-4.3
 */
export function fileNameIn(disposition: string | null | undefined): string | undefined {
  if (disposition === null || disposition === undefined) return undefined;
  const extended = /;\s*filename\*\s*=\s*"?([\w-]+)'[^']*'([^;"\s]+)/i.exec(disposition);
  const decoded = extended === null ? undefined : decodedName(extended[1] ?? '', extended[2] ?? '');
  if (decoded !== undefined) return decoded;
  const [found, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  if (found === undefined) return undefined;
  const name = utf8Of(quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '');
  return name === '' ? undefined : (decodedName('utf-8', name) ?? name);
}

/** https://www.rfc-editor.org/rfc/rfc8187 */
function decodedName(charset: string, value: string): string | undefined {
  try {
    if (/^utf-?8$/i.test(charset)) return decodeURIComponent(value);
    const bytes = value.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return new TextDecoder(charset).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined; // no such charset, or a lone percent sign
  }
}

/** Headers are read as Latin-1; bytes that are UTF-8 were meant as such. */
function utf8Of(value: string): string {
  if (!/[\x80-\xff]/.test(value) || /[^\0-\xff]/.test(value)) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
