import type { Upload } from '../kit/multipart.ts';
import { badRequest } from './api-error.ts';

export type { Upload };

export type ParamValue = string | number | boolean | object | null;

/** The parameters of one call. Like the real server it takes numbers as strings, objects as JSON text, and so on. */
export class Params {
  readonly values: Readonly<Record<string, ParamValue>>;
  readonly uploads: ReadonlyMap<string, Upload>;

  constructor(values: Readonly<Record<string, ParamValue>>, uploads: ReadonlyMap<string, Upload> = new Map()) {
    this.values = values;
    this.uploads = uploads;
  }

  has(name: string): boolean {
    const value = this.values[name];
    return value !== undefined && value !== null && value !== '';
  }

  text(name: string): string {
    const value = this.values[name];
    if (value === undefined || value === null) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }

  /** @returns undefined when absent or no whole number. */
  integer(name: string): number | undefined {
    const text = this.text(name).trim();
    return /^-?\d+$/.test(text) ? Number(text) : undefined;
  }

  flag(name: string): boolean {
    return ['true', 'yes', '1'].includes(this.text(name).toLowerCase());
  }

  /** A nested object or list, sent as such or as JSON text. */
  json(name: string): unknown {
    const value = this.values[name];
    if (typeof value !== 'string') return value ?? undefined;
    if (value === '') return undefined;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      throw badRequest(`can't parse ${name} JSON object`);
    }
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
