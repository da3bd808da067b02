interface Planned<Fault> {
  readonly name: string;
  readonly fault: Fault;
  left: number;
}

/** The faults that are planned; the first one planned for a call is the first one met. Names know no upper case. */
export class Faults<Fault> {
  readonly #planned: Planned<Fault>[] = [];

  /** Plans `fault` for the next `times` calls of `name` (`*` for any call, `Infinity` for ever). */
  plan(name: string, fault: Fault, times = 1): void {
    if (times > 0) this.#planned.push({ name: name.toLowerCase(), fault, left: times });
  }

  take(name: string): Fault | undefined {
    const index = this.#planned.findIndex((planned) => planned.name === '*' || planned.name === name.toLowerCase());
    const planned = this.#planned[index];
    if (planned === undefined) return undefined;
    planned.left -= 1;
    if (planned.left <= 0) this.#planned.splice(index, 1);
    return planned.fault;
  }

  /** Behaves again: for one call, or in all. */
  clear(name?: string): void {
    const kept = name === undefined ? [] : this.#planned.filter((planned) => planned.name !== name.toLowerCase());
    this.#planned.splice(0, Infinity, ...kept);
  }
}
