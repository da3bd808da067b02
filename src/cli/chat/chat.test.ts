import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { runTerminalChat } from './chat.ts';
import type { ChatPiece, ChatSession } from './session.ts';

const ctrlC = '\u0003';
const ctrlD = '\u0004';

function terminal(isTTY: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  let shown = '';
  const watchers = new Set<() => void>();
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    for (const watcher of watchers) watcher();
  });
  /** Resolves when the terminal has shown this text. */
  const sees = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!plain().includes(text)) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: takes out what moves the cursor
  const plain = (): string => shown.replace(/\u001b\[\d*[A-Z]/gi, '').replaceAll('\r\n', '\n');
  return { input, output, sees, plain };
}

/** Answers with fixed pieces, one list a message. */
function scripted(answers: readonly (readonly ChatPiece[])[]) {
  const said: string[] = [];
  const session: ChatSession = {
    say: async function* (text) {
      said.push(text);
      yield* answers[said.length - 1] ?? [];
    },
    stop: async () => {},
  };
  return { session, said };
}

/** Starts to answer, and goes on only until it is stopped. */
function endless() {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  let stops = 0;
  const session: ChatSession = {
    say: async function* () {
      yield { append: 'thinking' };
      await stopped;
      yield { notice: 'Stopped.' };
    },
    stop: async () => {
      stops += 1;
      resolve();
    },
  };
  return { session, stops: () => stops };
}

test('from a pipe: every line is answered in order, only final texts are printed, the end of input ends it', async () => {
  const { input, output, plain } = terminal(false);
  const { session, said } = scripted([
    [{ append: 'Hel' }, { append: 'lo' }, { done: true }],
    [{ append: 'wrong' }, { replace: 'right' }, { notice: 'A note.' }],
  ]);
  input.end('first\n\n  second  \n');
  assert.equal(await runTerminalChat({ session, input, output }), 0);
  assert.deepEqual(said, ['first', 'second']);
  assert.equal(plain(), 'Hello\nA note.\nright\n');
});

test('from a pipe: a last line without a line break counts, and a failure is an exit code', async () => {
  const { input, output, plain } = terminal(false);
  const session: ChatSession = {
    // biome-ignore lint/correctness/useYield: it fails before it has anything to yield
    say: async function* () {
      throw new Error('no model is connected');
    },
    stop: async () => {},
  };
  input.end('hello');
  assert.equal(await runTerminalChat({ session, input, output }), 1);
  assert.equal(plain(), '(no model is connected)\n');
});

test('on a terminal the answer is shown as it grows, and a repeated stand is not printed twice', async () => {
  const { input, output, sees, plain } = terminal(true);
  const { session } = scripted([
    [{ append: 'One' }, { replace: 'One two' }, { replace: 'Three' }, { append: '!' }, { notice: 'Note.' }],
  ]);
  const ended = runTerminalChat({ session, input, output });
  await sees('> ');
  input.write('hi\r');
  await sees('Note.');
  input.write(ctrlD);
  assert.equal(await ended, 0);
  assert.ok(plain().startsWith('Ctrl-C stops an answer; Ctrl-D leaves.\n> '));
  assert.ok(plain().includes('One two\nThree!\nNote.\n'), plain());
});

test('what the model writes cannot steer the terminal', async () => {
  const { input, output, plain } = terminal(false);
  const { session } = scripted([[{ append: 'a\u001b[2Jb\u0007\tc\r\nd' }]]);
  input.end('x\n');
  await runTerminalChat({ session, input, output });
  assert.equal(plain(), 'a[2Jb\tc\nd\n');
});

test('Ctrl-C stops the answer, and the chat goes on', async () => {
  const { input, output, sees } = terminal(true);
  const { session, stops } = endless();
  const ended = runTerminalChat({ session, input, output });
  await sees('> ');
  input.write('go\r');
  await sees('thinking');
  input.write(ctrlC);
  await sees('Stopped.');
  assert.equal(stops(), 1);
  input.write(ctrlD);
  assert.equal(await ended, 0);
});

test('Ctrl-C twice leaves, also while an answer hangs', async () => {
  const { input, output, sees } = terminal(true);
  const session: ChatSession = {
    say: async function* () {
      yield { append: 'thinking' };
      await new Promise(() => {});
    },
    stop: async () => {},
  };
  const ended = runTerminalChat({ session, input, output });
  await sees('> ');
  input.write('go\r');
  await sees('thinking');
  input.write(ctrlC);
  input.write(ctrlC);
  assert.equal(await ended, 0);
});

test('Ctrl-C at the prompt takes back the line and says how to leave', async () => {
  const { input, output, sees } = terminal(true);
  const { session, said } = scripted([]);
  const ended = runTerminalChat({ session, input, output });
  await sees('> ');
  input.write('half a line');
  await sees('half a line');
  input.write(ctrlC);
  await sees('Ctrl-C again leaves');
  input.write('\r');
  input.write(ctrlC);
  assert.equal(await ended, 0);
  assert.deepEqual(said, []);
});

test('what is typed during an answer is sent after it', async () => {
  const { input, output, sees } = terminal(true);
  const gate = Promise.withResolvers<void>();
  const said: string[] = [];
  const session: ChatSession = {
    say: async function* (text) {
      said.push(text);
      if (text === 'one') await gate.promise;
      yield { append: `answer to ${text}` };
    },
    stop: async () => {},
  };
  const ended = runTerminalChat({ session, input, output });
  await sees('> ');
  input.write('one\rtwo\r');
  gate.resolve();
  await sees('answer to two');
  input.write(ctrlD);
  await ended;
  assert.deepEqual(said, ['one', 'two']);
});
