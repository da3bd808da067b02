/**
 * Text that both databases give back as it was stored: PostgreSQL refuses U+0000 in a text value, and half a surrogate
 * pair has no UTF-8 form. JSON needs none of this: it escapes both.
 */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
