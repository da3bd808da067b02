import { FileBox } from 'file-box';
import type { Wechaty } from 'wechaty';
import { faults, type Outcomes, type Task } from './protocol.ts';

type Puppet = Wechaty['puppet'];

/** Does one task. Throws what wechaty throws, or an error whose `code` is one of our own. */
export async function perform(puppet: Puppet, task: Task): Promise<Outcomes[Task['kind']]> {
  if (!puppet.isLoggedIn) throw coded(faults.notLoggedIn, 'nobody is logged in');
  switch (task.kind) {
    case 'text':
      return sent(await puppet.messageSendText(task.chat, task.text, [...task.mentions]));
    case 'file':
      return sent(await puppet.messageSendFile(task.chat, FileBox.fromBuffer(Buffer.from(task.content), task.name)));
    case 'fetch':
      return fetchFile(puppet, task.message, task.maxBytes);
    default:
      return task satisfies never;
  }
}

// biome-ignore lint/suspicious/noConfusingVoidType: what wechaty declares
const sent = (id: string | void): Outcomes['text'] => (id ? { id } : {});

/** Reads a message's file, and no further than `maxBytes`. */
async function fetchFile(puppet: Puppet, message: string, maxBytes: number): Promise<Outcomes['fetch']> {
  // A puppet service answers for a message that it does not have only after a minute.
  await puppet.messagePayload(message);
  const box = await puppet.messageFile(message);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const stream = await box.toStream();
  for await (const chunk of stream) {
    const piece = Buffer.from(chunk as Uint8Array);
    bytes += piece.byteLength;
    if (bytes > maxBytes) {
      stream.destroy();
      throw coded(faults.tooLarge, `the file is larger than ${maxBytes} bytes`);
    }
    chunks.push(piece);
  }
  return { content: Buffer.concat(chunks), name: box.name };
}

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });
