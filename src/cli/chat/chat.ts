import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type AnswerWriter, answerWriter } from './answer.ts';
import type { ChatSession } from './session.ts';

export interface TerminalChatOptions {
  readonly session: ChatSession;
  /** Default: standard input. */
  readonly input?: Readable & { readonly isTTY?: boolean };
  /** Default: standard output. */
  readonly output?: Writable & { readonly isTTY?: boolean };
}

const prompt = '> ';
/** A second Ctrl-C this soon after the first leaves. */
const leaveWithinMs = 2000;

/**
 * `antler chat`: reads lines, sends each as a message and streams the answers, one after the other. On a terminal
 * Ctrl-C stops the answer, twice (or Ctrl-D) leaves; what is typed during an answer is sent after it. From a pipe it
 * answers every line and ends with the input. Resolves when it has ended; 1 when a message could not be answered.
 */
export async function runTerminalChat(options: TerminalChatOptions): Promise<0 | 1> {
  const { session, input = process.stdin, output = process.stdout } = options;
  const interactive = input.isTTY === true && output.isTTY === true;
  const lines = createInterface({ input, output: interactive ? output : undefined, terminal: interactive, prompt });
  const write = (text: string): void => void output.write(text);
  const keys = new Keys(lines, session, write);
  const queue = linesOf(lines);
  let code: 0 | 1 = 0;

  if (interactive) {
    write('Ctrl-C stops an answer; Ctrl-D leaves.\n');
    lines.prompt();
  }
  for await (const line of queue) {
    const text = line.trim();
    if (text !== '') {
      const failed = await answer(session, text, answerWriter(write, interactive), keys);
      if (failed !== null && !keys.hasLeft) {
        write(`(${failed})\n`);
        code = 1;
      }
    }
    if (keys.hasLeft) break;
    if (interactive) lines.prompt();
  }
  lines.close();
  if (interactive) write('\n');
  return interactive ? 0 : code;
}

/** Null when it was answered, else what went wrong. */
async function answer(session: ChatSession, text: string, writer: AnswerWriter, keys: Keys): Promise<string | null> {
  keys.answering = true;
  try {
    const pieces = session.say(text)[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([pieces.next(), keys.left]);
      if (next === 'left' || next.done === true || 'done' in next.value) break;
      writer.take(next.value);
    }
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    writer.end();
    keys.answering = false;
  }
}

/** What Ctrl-C means at the moment. */
class Keys {
  answering = false;
  hasLeft = false;
  readonly left: Promise<'left'>;
  #pressedAt = Number.NEGATIVE_INFINITY;

  constructor(lines: Interface, session: ChatSession, write: (text: string) => void) {
    const { promise, resolve } = Promise.withResolvers<'left'>();
    this.left = promise;
    const leave = (): void => {
      this.hasLeft = true;
      resolve('left');
      lines.close();
    };
    // On a terminal that is Ctrl-D; from a pipe it is the end of the input, whose lines are still to be answered.
    if (lines.terminal) lines.once('close', leave);
    lines.on('SIGINT', () => {
      const again = performance.now() - this.#pressedAt < leaveWithinMs;
      this.#pressedAt = performance.now();
      if (again) leave();
      else if (this.answering) session.stop().catch((error: unknown) => write(`(${String(error)})\n`));
      else {
        write('\n(Ctrl-C again leaves)\n');
        // Takes away what was typed, as a shell does.
        lines.write(null, { ctrl: true, name: 'e' });
        lines.write(null, { ctrl: true, name: 'u' });
        lines.prompt();
      }
    });
  }
}

/** The interface's lines as they come, none lost while an answer is awaited; ends when the interface closes. */
async function* linesOf(lines: Interface): AsyncGenerator<string, void, void> {
  const waiting: string[] = [];
  let closed = false;
  let wake = (): void => {};
  lines.on('line', (line) => {
    waiting.push(line);
    wake();
  });
  lines.on('close', () => {
    closed = true;
    wake();
  });
  for (;;) {
    const line = waiting.shift();
    if (line !== undefined) yield line;
    else if (closed) return;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}
