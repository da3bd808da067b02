/** One command of a shell line, as far as it matters here: its words without quotes, and where it redirects to. */
export interface SimpleCommand {
  readonly words: readonly string[];
  readonly redirects: readonly { readonly operator: string; readonly target: string }[];
  /** Reads what the command before it writes. */
  readonly isPiped: boolean;
}

const MAX_DEPTH = 8;
/** Words that stand before a command without being one. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['if', 'then', 'elif', 'else', 'fi', 'while', 'until', 'do', 'done', 'time', 'coproc', '{', '}', '!', 'esac'],
]);

/**
 * Takes a shell text apart into its commands, those inside of substitutions and subshells included. What is quoted and
 * what a here-document holds is data. Null when it does not hang together (a quote or bracket is left open).
 */
export function parseCommands(text: string): readonly SimpleCommand[] | null {
  const parser = new Parser(text);
  return parser.commands(null, 0) ? parser.found : null;
}

class Parser {
  readonly found: SimpleCommand[] = [];
  readonly #text: string;
  #at = 0;
  /** Delimiters of here-documents that begin with the next line. */
  #documents: { readonly end: string; readonly stripTabs: boolean }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads commands up to `end`. False when it never comes. */
  commands(end: ')' | null, depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    let words: string[] = [];
    let redirects: { operator: string; target: string }[] = [];
    let isPiped = false;
    const finish = (nextIsPiped: boolean): void => {
      while (KEYWORDS.has(words[0] ?? '')) words.shift();
      if (words.length > 0 || redirects.length > 0) this.found.push({ words, redirects, isPiped });
      words = [];
      redirects = [];
      isPiped = nextIsPiped;
    };
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? '';
      if (char === ')') {
        this.#at++;
        finish(false);
        if (end === ')') return true;
      } else if (char === '\n') {
        this.#at++;
        finish(false);
        this.#skipDocuments();
      } else if (/\s/.test(char)) this.#at++;
      else if (char === '#') this.#skipTo('\n');
      else if (char === '(') {
        this.#at++;
        finish(false);
        if (!this.commands(')', depth + 1)) return false;
      } else if (/[;&|]/.test(char) && !this.#text.startsWith('&>', this.#at)) {
        const operator = /^(?:&&|\|\||;;|\|&|[;&|])/.exec(this.#text.slice(this.#at, this.#at + 2))?.[0] ?? char;
        this.#at += operator.length;
        finish(operator === '|' || operator === '|&');
      } else {
        const operator = /^(?:\d*|&)(?:<<<|<<-?|<>|>>|>\||[<>]&?)/.exec(this.#text.slice(this.#at, this.#at + 12))?.[0];
        if (operator !== undefined && !/^\d*[<>]\($/.test(this.#text.slice(this.#at, this.#at + operator.length + 1))) {
          this.#at += operator.length;
          this.#skipBlanks();
          const target = this.#word(depth);
          if (target === null) return false;
          if (/<<-?$/.test(operator)) this.#documents.push({ end: target, stripTabs: operator.endsWith('-') });
          else redirects.push({ operator: operator.replace(/^\d+/, ''), target });
        } else {
          const word = this.#word(depth);
          if (word === null) return false;
          words.push(word);
        }
      }
    }
    finish(false);
    return end === null;
  }

  /** One word, its quotes taken away; null when something in it is left open. */
  #word(depth: number): string | null {
    let word = '';
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined || /[\s;&|)]/.test(char)) return word;
      if (char === '(') {
        // `name()`, `<(command)`, `a=(list)`
        this.#at++;
        if (!this.commands(')', depth + 1)) return null;
      } else if ((char === '<' || char === '>') && this.#text[this.#at + 1] !== '(') return word;
      else if (char === "'") {
        const close = this.#text.indexOf("'", this.#at + 1);
        if (close === -1) return null;
        word += this.#text.slice(this.#at + 1, close);
        this.#at = close + 1;
      } else if (char === '"') {
        const inner = this.#doubleQuoted(depth);
        if (inner === null) return null;
        word += inner;
      } else if (char === '\\') {
        word += this.#text[this.#at + 1] === '\n' ? '' : (this.#text[this.#at + 1] ?? '');
        this.#at += 2;
      } else if (char === '$' || char === '`') {
        const expanded = this.#expansion(depth);
        if (expanded === null) return null;
        word += expanded;
      } else {
        word += char;
        this.#at++;
      }
    }
  }

  #doubleQuoted(depth: number): string | null {
    let inner = '';
    this.#at++;
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined) return null;
      if (char === '"') {
        this.#at++;
        return inner;
      }
      if (char === '\\') {
        inner += this.#text[this.#at + 1] ?? '';
        this.#at += 2;
      } else if (char === '$' || char === '`') {
        const expanded = this.#expansion(depth);
        if (expanded === null) return null;
        inner += expanded;
      } else {
        inner += char;
        this.#at++;
      }
    }
  }

  /** `$(command)`, `` `command` ``, `$((sum))`, `${name}`, `$name`: commands are found, names stay as they are. */
  #expansion(depth: number): string | null {
    const rest = this.#text.slice(this.#at, this.#at + 3);
    if (rest.startsWith('$((')) return this.#skipPast('))');
    if (rest.startsWith('$(')) {
      this.#at += 2;
      return this.commands(')', depth + 1) ? '' : null;
    }
    if (rest.startsWith('${')) return this.#skipPast('}');
    if (rest.startsWith('`')) {
      const close = this.#text.indexOf('`', this.#at + 1);
      if (close === -1) return null;
      const inner = parseCommands(this.#text.slice(this.#at + 1, close));
      if (inner === null) return null;
      this.found.push(...inner);
      this.#at = close + 1;
      return '';
    }
    this.#at++;
    return '$';
  }

  #skipPast(end: string): string | null {
    const close = this.#text.indexOf(end, this.#at);
    if (close === -1) return null;
    const skipped = this.#text.slice(this.#at, close + end.length);
    this.#at = close + end.length;
    return skipped;
  }

  #skipTo(end: string): void {
    const next = this.#text.indexOf(end, this.#at);
    this.#at = next === -1 ? this.#text.length : next;
  }

  #skipBlanks(): void {
    while (/[ \t]/.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  #skipDocuments(): void {
    for (const { end, stripTabs } of this.#documents)
      for (let line: string | null = ''; line !== null; ) {
        if (this.#at >= this.#text.length) break;
        const start = this.#at;
        this.#skipTo('\n');
        const read = this.#text.slice(start, this.#at);
        this.#at++;
        line = (stripTabs ? read.replace(/^\t+/, '') : read) === end ? null : read;
      }
    this.#documents = [];
  }
}
