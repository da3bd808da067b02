const colours: Readonly<Record<string, string>> = { debug: '2', info: '32', warn: '33', error: '31' };
const known = new Set(['level', 'time', 'msg', 'err', 'error']);
// biome-ignore lint/suspicious/noControlCharactersInRegex: a log line must not steer the terminal
const control = /[\u0000-\u001f\u007f-\u009f]/g;

/** One JSON line of the log as a person reads it in a terminal: time, level, message, then the fields. */
export function prettyLine(json: string): string {
  const line = parse(json);
  if (line === null) return json;
  const level = String(line.level);
  const time = new Date(Number(line.time)).toTimeString().slice(0, 8);
  const fields = Object.entries(line)
    .filter(([key]) => !known.has(key))
    .map(
      ([key, value]) =>
        `${key}=${typeof value === 'string' && /^[\w./:@+-]+$/.test(value) ? value : JSON.stringify(value)}`,
    );
  const problem = problemOf(line.err ?? line.error);
  const rest = [...fields, ...(problem === '' ? [] : [problem])].join(' ').replace(control, ' ');
  const message = String(line.msg ?? '').replace(control, ' ');
  return `${dim(time)} \u001b[${colours[level] ?? '0'}m${level.padEnd(5)}\u001b[0m ${message}${rest === '' ? '' : ` ${dim(rest)}`}\n`;
}

const dim = (text: string): string => `\u001b[2m${text}\u001b[0m`;

function parse(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** An error in a few words, its causes behind it. */
function problemOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === undefined ? '' : String(value);
  const { code, message, cause } = { code: undefined, message: undefined, cause: undefined, ...value };
  const own = [code, message].filter((part) => part !== undefined && part !== '').join(': ');
  const below = problemOf(cause);
  return below === '' || own.includes(below) ? own : `${own} ← ${below}`;
}
