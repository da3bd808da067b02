// @ts-check
/** An id that nobody else makes. `crypto.randomUUID` is there on https and localhost only. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
