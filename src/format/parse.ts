import { type Doc, doc } from './nodes.ts';
import { asWritten, type Reading, readQuickly, readSegment, readWhole } from './reading.ts';
import { segmentsOf } from './segments.ts';

/**
 * Reads CommonMark with GFM tables, task lists and strikethrough. Never fails, and takes bounded time: any text is
 * Markdown. A block that would be too long in reading is code that shows it as it was written; so is the rest of a text
 * of which enough has been read. Documents are shared; nobody may change one.
 */
export function parse(markdown: string): Doc {
  return doc(readingsOf(markdown).flatMap(({ blocks }) => blocks));
}

/** A reading and what was read. */
export interface SourceReading extends Reading {
  readonly source: string;
}

/** Microseconds of CPU for one text: enough for hundreds of kilobytes of what people can read. */
const WEIGHT_MAX = 500_000;

/** Reads a text segment by segment; joined together, the sources are the text. */
export function readingsOf(markdown: string): SourceReading[] {
  const readings: SourceReading[] = [];
  let weight = 0;
  let at = 0;
  for (const source of segmentsOf(markdown)) {
    const reading = readQuickly(source) ?? remembered(source, readSegment);
    weight += reading.weight;
    if (weight > WEIGHT_MAX) {
      const rest = markdown.slice(at);
      return [...readings, { source: rest, ...asWritten(rest) }];
    }
    readings.push({ source, ...reading });
    at += source.length;
  }
  return readings.some(defines) ? joined(readings) : readings;
}

const DEFINITION = /^[ \t>*+\-\d.)]*\[[^\]\n]+\]:/m;

const defines = ({ read, source }: SourceReading): boolean => read === 'parsed' && DEFINITION.test(source);

/** Reads as one what definitions of links and footnotes may reach across, unless that would take too long. */
function joined(readings: readonly SourceReading[]): SourceReading[] {
  const runs: SourceReading[][] = [];
  for (const reading of readings) {
    const run = runs.at(-1);
    const goesOn = run?.[0] !== undefined && run[0].read !== 'notAtAll' && reading.read !== 'notAtAll';
    if (goesOn) run.push(reading);
    else runs.push([reading]);
  }
  return runs.flatMap((run) => {
    const source = run.map((reading) => reading.source).join('');
    if (run.length === 1 || !run.some(defines)) return run;
    const whole = remembered(source, (all) => readWhole(all, WEIGHT_MAX));
    return whole.read === 'parsed' ? [{ source, ...whole }] : run;
  });
}

/**
 * A growing answer is read again with every edit, and each of its parts once to be measured and once to be sent;
 * reading takes milliseconds. Least recently used segments go first.
 */
const memory = new Map<string, Reading>();
let remembers = 0;
/** In UTF-16 code units of all that is remembered. */
const MEMORY_MAX = 500_000;

function remembered(source: string, read: (source: string) => Reading): Reading {
  const known = memory.get(source);
  if (known !== undefined) {
    memory.delete(source);
    memory.set(source, known);
    return known;
  }
  // A slice would keep the whole of every stand of the answer alive.
  const copy = Buffer.from(source, 'utf16le').toString('utf16le');
  const reading = readSafely(copy, read);
  if (copy.length > MEMORY_MAX / 4) return reading;
  memory.set(copy, reading);
  remembers += copy.length;
  for (const oldest of memory.keys()) {
    if (remembers <= MEMORY_MAX) break;
    memory.delete(oldest);
    remembers -= oldest.length;
  }
  return reading;
}

/** Should something nest in a way that was not thought of, one text must not take the process with it. */
function readSafely(source: string, read: (source: string) => Reading): Reading {
  try {
    return read(source);
  } catch {
    return asWritten(source);
  }
}
