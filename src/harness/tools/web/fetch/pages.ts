/** A page that has been read. */
export interface Page {
  readonly url: string;
  readonly title?: string;
  readonly published?: string;
  readonly text: string;
}

const KEPT_MS = 5 * 60_000;
const MAX_PAGES = 50;
const MAX_CHARS = 5_000_000;

/** Keeps pages for a few minutes, so that the second part of one belongs to the first. Bounded in number and size. */
export class Pages {
  readonly #kept = new Map<string, { readonly page: Page; readonly until: number }>();
  #chars = 0;

  find(url: string, now: number): Page | undefined {
    const found = this.#kept.get(url);
    return found !== undefined && found.until > now ? found.page : undefined;
  }

  keep(url: string, page: Page, now: number): void {
    this.#drop(url);
    this.#kept.set(url, { page, until: now + KEPT_MS });
    this.#chars += page.text.length;
    for (const [oldest, { until }] of this.#kept) {
      if (until > now && this.#kept.size <= MAX_PAGES && this.#chars <= MAX_CHARS) break;
      this.#drop(oldest);
    }
  }

  #drop(url: string): void {
    this.#chars -= this.#kept.get(url)?.page.text.length ?? 0;
    this.#kept.delete(url);
  }
}
