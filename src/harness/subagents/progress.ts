import { cutEnd } from '../transcript/text.ts';

const MAX_TITLE_CHARS = 80;

/** What the sub-agents of a run are doing, one a line. */
export class ProgressBoard {
  readonly #lines = new Map<string, string>();

  /** A sub-agent works and has used tools so many times; returns what to show. */
  working(id: string, title: string, calls: number): string {
    const short = cutEnd(title, MAX_TITLE_CHARS);
    this.#lines.set(id, calls === 0 ? `⏳ ${short}` : `⏳ ${short} · ${calls}`);
    return this.#text;
  }

  ended(id: string): string {
    this.#lines.delete(id);
    return this.#text;
  }

  get #text(): string {
    return [...this.#lines.values()].join('\n');
  }
}
