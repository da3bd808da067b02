/** How deep and how wide a log line may go. */
const maxDepth = 6;
const maxItems = 50;
const maxTextLength = 4000;

const secretKey =
  /(pass(word|wd)?|secret|token|api_?key|authorization|cookie|credential|private_?key|aes_?key|encrypt_?key)$/i;
/** Counts of the model's tokens are no secrets. */
const countOfTokens = /tokens$/i;

/**
 * Fields as a log line may hold them: errors with their causes, secret-looking keys blackened, no cycles, bounded in
 * size. Never throws, whatever it is handed.
 */
export function loggable(fields: object): Record<string, unknown> {
  const clean = cleanValue(fields, 0, new Set());
  return typeof clean === 'object' && clean !== null && !Array.isArray(clean) ? { ...clean } : { value: clean };
}

function cleanValue(value: unknown, depth: number, around: ReadonlySet<object>): unknown {
  switch (typeof value) {
    case 'string':
      return value.length > maxTextLength ? `${value.slice(0, maxTextLength)}… (${value.length} characters)` : value;
    case 'bigint':
    case 'symbol':
      return String(value);
    case 'function':
      return '[function]';
    case 'object':
      return value === null ? null : cleanObject(value, depth, around);
    default:
      return value;
  }
}

function cleanObject(value: object, depth: number, around: ReadonlySet<object>): unknown {
  if (around.has(value)) return '[circular]';
  if (depth >= maxDepth) return '[deep]';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const inside = new Set([...around, value]);
  if (value instanceof Error) return cleanError(value, depth, inside);
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems).map((item) => cleanValue(item, depth + 1, inside));
    return value.length > maxItems ? [...items, `… (${value.length} items)`] : items;
  }
  return Object.fromEntries(
    Object.keys(value)
      .slice(0, maxItems)
      .map((key) => [key, isSecretKey(key) ? '***' : cleanValue(read(value, key), depth + 1, inside)]),
  );
}

function cleanError(error: Error, depth: number, inside: ReadonlySet<object>): Record<string, unknown> {
  const extras = Object.keys(error).filter((key) => ['code', 'status', 'retryable', 'retryAfterMs'].includes(key));
  return {
    type: error.name,
    message: error.message,
    ...Object.fromEntries(extras.map((key) => [key, cleanValue(read(error, key), depth + 1, inside)])),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: cleanValue(error.cause, depth + 1, inside) }),
  };
}

const isSecretKey = (key: string): boolean => secretKey.test(key) && !countOfTokens.test(key);

/** A getter may throw. */
function read(owner: object, key: string): unknown {
  try {
    return Reflect.get(owner, key);
  } catch {
    return '[unreadable]';
  }
}
