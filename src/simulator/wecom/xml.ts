/** Writes a message as WeCom does: texts as CDATA, numbers as they are, lists as repeated elements. */
export const writeXml = (body: Readonly<Record<string, unknown>>): string => `<xml>${children(body)}</xml>`;

function children(body: object): string {
  return Object.entries(body)
    .flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((one) => [name, one] as const) : [[name, value] as const],
    )
    .map(([name, value]) => `<${name}>${content(value)}</${name}>`)
    .join('');
}

function content(value: unknown): string {
  if (typeof value === 'object' && value !== null) return children(value);
  if (typeof value === 'number') return String(value);
  // The mark that ends CDATA is split over two.
  return `<![CDATA[${String(value).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}
