import { ApiError } from './api-error.ts';

/** The arguments of one call. Lists and objects come as JSON inside a form, or as they are in a JSON body. */
export class Params {
  readonly values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.values = values;
  }

  static read(body: Buffer, contentType: string, query: URLSearchParams): Params {
    const text = body.toString('utf8');
    const inQuery = Object.fromEntries(query);
    if (!contentType.includes('json'))
      return new Params({ ...inQuery, ...Object.fromEntries(new URLSearchParams(text)) });
    try {
      return new Params({ ...inQuery, ...(JSON.parse(text) as Record<string, unknown>) });
    } catch {
      throw new ApiError('invalid_json');
    }
  }

  /** Empty values count as absent. */
  string(name: string): string | undefined {
    const value = this.values[name];
    if (value === undefined || value === null || value === '') return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  required(name: string, error = 'invalid_arguments'): string {
    const value = this.string(name);
    if (value === undefined) throw new ApiError(error);
    return value;
  }

  number(name: string, otherwise: number): number {
    const value = Number(this.string(name) ?? otherwise);
    return Number.isFinite(value) ? value : otherwise;
  }

  flag(name: string): boolean {
    return ['true', '1'].includes(this.string(name) ?? '');
  }

  /** A list of objects; undefined when it was not given at all. */
  list(name: string, error: string): Record<string, unknown>[] | undefined {
    const value = this.values[name];
    if (value === undefined || value === '') return undefined;
    const parsed = typeof value === 'string' ? jsonOf(value) : value;
    if (!Array.isArray(parsed) || parsed.some((item) => typeof item !== 'object' || item === null))
      throw new ApiError(error);
    return parsed as Record<string, unknown>[];
  }

  json(name: string): unknown {
    const value = this.values[name];
    return typeof value === 'string' ? jsonOf(value) : value;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
