import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AntlerError } from '../../base/errors.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { keeping } from './kept.ts';
import {
  CONVERSION_HEAP_MB,
  CONVERSION_MS,
  CONVERSION_RSS_MB,
  MAX_CONVERSIONS,
  MAX_INPUT_BYTES,
  MAX_WAITING,
  MEMORY_CHECK_MS,
} from './limits.ts';
import type { Converted, DocumentConverter, DocumentSource } from './port.ts';
import { problems } from './problems.ts';
import { reportSchema } from './report.ts';

export interface ConverterLimits {
  readonly timeoutMs: number;
  readonly heapMb: number;
  readonly rssMb: number;
  /** The process that converts. */
  readonly program: string;
}

const LIMITS: ConverterLimits = {
  timeoutMs: CONVERSION_MS,
  heapMb: CONVERSION_HEAP_MB,
  rssMb: CONVERSION_RSS_MB,
  program: join(import.meta.dirname, 'convert.child.ts'),
};

/**
 * Makes a converter that runs each conversion in a process of its own: bounded in time and memory, without environment,
 * and with nothing to read but the program itself. A few at once. Nothing of it is left when a conversion has ended.
 */
export function createConverter(limits: ConverterLimits = LIMITS): DocumentConverter {
  const places = new Semaphore(MAX_CONVERSIONS, MAX_WAITING);
  return keeping({
    convert: async (source, signal) => {
      if (source.content.byteLength > MAX_INPUT_BYTES) throw problems.tooLarge();
      const leave = await places.enter(signal).catch((thrown: unknown) => {
        throw signal.aborted
          ? new AntlerError('cancelled', 'stopped')
          : new AntlerError('unavailable', 'too many documents are being read', { cause: thrown });
      });
      try {
        return await convertApart(source, limits, signal);
      } finally {
        leave();
      }
    },
  });
}

async function convertApart(source: DocumentSource, limits: ConverterLimits, signal: AbortSignal): Promise<Converted> {
  if (signal.aborted) throw new AntlerError('cancelled', 'stopped');
  const child = spawn(process.execPath, [...argumentsFor(limits), limits.program], {
    cwd: dirname(limits.program),
    env: cleanEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  const { promise, resolve, reject } = Promise.withResolvers<Converted>();
  const stop = (): void => reject(new AntlerError('cancelled', 'stopped'));
  const late = setTimeout(() => reject(problems.slow(limits.timeoutMs / 1_000)), limits.timeoutMs);
  const watch = setInterval(() => {
    void residentMb(child).then((mb) => mb > limits.rssMb && reject(problems.memory()));
  }, MEMORY_CHECK_MS);
  const ended = new Promise<void>((settle) => {
    child.once('exit', () => settle());
    child.once('error', () => settle());
  });
  child.once('message', (message) => {
    const report = reportSchema.safeParse(message);
    if (!report.success) reject(problems.damaged());
    else if (report.data.ok) resolve(report.data.converted);
    else reject(new AntlerError(report.data.code, report.data.message));
  });
  child.once('error', (cause) => reject(new AntlerError('internal', 'no process to read documents in', { cause })));
  child.once('exit', (code, signalName) =>
    reject(isOutOfMemory(code, signalName) ? problems.memory() : problems.damaged()),
  );
  signal.addEventListener('abort', stop, { once: true });
  // Plain bytes, whatever view of a pool they came as. An error here means that it ended, which is told above.
  child.send({ ...source, content: new Uint8Array(source.content) }, () => {});
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    clearInterval(watch);
    signal.removeEventListener('abort', stop);
    child.kill('SIGKILL');
    await ended;
  }
}

/** V8 aborts when its heap is full; the kernel kills when the machine's memory is. */
const isOutOfMemory = (code: number | null, signal: NodeJS.Signals | null): boolean =>
  signal === 'SIGABRT' || signal === 'SIGKILL' || signal === 'SIGTRAP' || code === 134;

function argumentsFor({ heapMb }: ConverterLimits): readonly string[] {
  const readable = [join(import.meta.dirname, '../..', '*'), ...packageFolders()];
  return [
    '--no-warnings',
    `--max-old-space-size=${heapMb}`,
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
  ];
}

/**
 * Where the packages are that conversions need, and the file that says what our own modules are. A linked
 * `node_modules` is read by both of its paths.
 */
function packageFolders(): readonly string[] {
  const inside = fileURLToPath(import.meta.resolve('fflate'));
  const folder = inside.slice(0, inside.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules${sep}`.length);
  const root = join(import.meta.dirname, '../../..');
  return [`${folder}*`, join(root, 'node_modules', '*'), join(root, 'package.json')];
}

/** Windows starts nothing without its own folder. */
function cleanEnvironment(): Record<string, string> {
  const { SystemRoot } = process.env;
  return { TZ: 'UTC', ...(SystemRoot === undefined ? {} : { SystemRoot }) };
}

/** Linux tells; elsewhere the limit of the heap has to do. */
async function residentMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}
