import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A part of the page that a benchmark of its own writes: `<!-- bus -->` … `<!-- /bus -->`. */
const part = /<!-- (\w+) -->\n.*?<!-- \/\1 -->\n/gs;

const marked = (name: string, text: string): string => `<!-- ${name} -->\n${text.trim()}\n<!-- /${name} -->\n`;

/** The page with its main text replaced; the marked parts stay. */
export function withMainText(page: string, text: string): string {
  return [text, ...[...page.matchAll(part)].map(([whole]) => whole)].join('\n');
}

/** The page with one marked part replaced, or added at its end. */
export function withPart(page: string, name: string, text: string): string {
  const old = [...page.matchAll(part)].find((match) => match[1] === name)?.[0];
  const fresh = marked(name, text);
  // A function, since "$" in a replacement text means something.
  return old === undefined ? `${page.trimEnd()}\n\n${fresh}` : page.replace(old, () => fresh);
}

/** Changes a page on the disk, which need not be there yet. */
export function rewrite(file: string, change: (page: string) => string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, change(readPage(file)));
}

function readPage(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
