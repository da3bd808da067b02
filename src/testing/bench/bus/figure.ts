/** One thing that was measured, beside what it is held to. */
export interface Figure {
  readonly name: string;
  readonly measured: string;
  /** Empty where nothing is promised. */
  readonly bar: string;
  readonly holds: boolean;
}

/** A figure that must not be above `most`. */
export const atMost = (name: string, value: number, most: number, format: Format, more = ''): Figure => ({
  name,
  measured: `${format(value)}${more}`,
  bar: `≤ ${format(most)}`,
  holds: value <= most,
});

/** A figure that must not be below `least`. */
export const atLeast = (name: string, value: number, least: number, format: Format, more = ''): Figure => ({
  name,
  measured: `${format(value)}${more}`,
  bar: `≥ ${format(least)}`,
  holds: value >= least,
});

/** A figure that is only told. */
export const told = (name: string, measured: string): Figure => ({ name, measured, bar: '', holds: true });

type Format = (value: number) => string;

export const times: Format = (value) => `${value.toFixed(2)} ×`;
export const milliseconds: Format = (value) => `${value < 100 ? value.toFixed(1) : value.toFixed(0)} ms`;
export const count: Format = (value) => String(value);
export const bytes: Format = (value) => `${value.toFixed(0)} B`;
export const percent: Format = (value) => `${(value * 100).toFixed(1)} %`;
