/** One way of misbehaving. `method` is the lower-case name of a method, `download` for files, or `*`. */
export type Fault =
  /** Refuses as the Bot API does; with `retryAfter` (seconds) for 429. */
  | { readonly kind: 'refuse'; readonly code: number; readonly description?: string; readonly retryAfter?: number }
  /** Answers with these bytes instead: an HTML page of a proxy, half a JSON. */
  | { readonly kind: 'raw'; readonly status: number; readonly body: string; readonly contentType?: string }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Cuts the connection; with `processed`, after the call has had its effect. */
  | { readonly kind: 'drop'; readonly processed: boolean }
  /** Answers as usual, but later. */
  | { readonly kind: 'delay'; readonly ms: number };

interface Planned {
  readonly method: string;
  readonly fault: Fault;
  left: number;
}

/** The faults that are planned; the first one planned for a method is the first one met. */
export class Faults {
  readonly #planned: Planned[] = [];

  /** Plans `fault` for the next `times` calls of `method` (`*` for any method, `Infinity` for ever). */
  plan(method: string, fault: Fault, times = 1): void {
    if (times > 0) this.#planned.push({ method: method.toLowerCase(), fault, left: times });
  }

  take(method: string): Fault | undefined {
    const index = this.#planned.findIndex(
      (planned) => planned.method === '*' || planned.method === method.toLowerCase(),
    );
    const planned = this.#planned[index];
    if (planned === undefined) return undefined;
    planned.left -= 1;
    if (planned.left <= 0) this.#planned.splice(index, 1);
    return planned.fault;
  }

  /** Behaves again: for one method, or in all. */
  clear(method?: string): void {
    const name = method?.toLowerCase();
    const kept = name === undefined ? [] : this.#planned.filter((planned) => planned.method !== name);
    this.#planned.splice(0, Infinity, ...kept);
  }
}
