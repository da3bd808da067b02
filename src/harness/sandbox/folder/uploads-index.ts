import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const schema = z.record(z.string(), z.string());
/** Names of the oldest are forgotten beyond this; their files may come in once more. */
const MAX_KNOWN = 2_000;

/** Which file that came in has which name below `uploads`. Lies beside the areas, where no command reaches it. */
export async function readIndex(path: string): Promise<Map<string, string>> {
  try {
    const read = schema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return new Map(read.success ? Object.entries(read.data) : []);
  } catch {
    return new Map(); // none yet, or cut off by a crash: files come in again
  }
}

export async function writeIndex(path: string, index: ReadonlyMap<string, string>): Promise<void> {
  const entries = [...index].slice(-MAX_KNOWN);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(Object.fromEntries(entries)), { mode: 0o600 });
  await rename(draft, path);
}

/** A name that no other file has: `plan.pdf`, `plan (2).pdf`, … */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const name = safeName(wanted);
  if (!taken.has(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let n = 2; ; n++) {
    const candidate = `${stem} (${n})${extension}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** People name files as they like; this is one component of a path, and no hidden file. */
function safeName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\p{Cc}/\\]/gu, '_')
    .trim()
    .replace(/^\.+/, '');
  const whole = plain === '' ? 'file' : plain;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(whole)?.[0] ?? '';
  let stem = whole.slice(0, whole.length - extension.length);
  while (Buffer.byteLength(stem + extension) > 200) stem = [...stem].slice(0, -1).join('');
  return stem + extension;
}
