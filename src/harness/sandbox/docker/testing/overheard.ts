import { mkdtempSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A request by its first line: when it has been asked but not yet reached the engine, or when its answer begins. */
export type Moment = { readonly asked: RegExp } | { readonly answered: RegExp };

/**
 * The way to a real engine by a socket that says when a request goes by, so that a test can do something just then.
 * @returns the address for `host`.
 */
export async function overheard(
  t: TestContext,
  root: string,
  host: string,
  moment: Moment,
  onMoment: () => void,
): Promise<string> {
  const path = join(mkdtempSync(join(root, 'o-')), 'docker.sock');
  const server = createServer((client) => {
    const engine = connect(host.slice('unix://'.length));
    let asked = '';
    client.on('data', (chunk: Buffer) => {
      asked = chunk.toString('latin1').split('\r\n', 1)[0] ?? '';
      if ('asked' in moment && moment.asked.test(asked)) onMoment();
      engine.write(chunk);
    });
    engine.on('data', (chunk: Buffer) => {
      if ('answered' in moment && moment.answered.test(asked)) onMoment();
      client.write(chunk);
    });
    client.on('error', () => engine.destroy()).on('close', () => engine.destroy());
    engine.on('error', () => client.destroy()).on('end', () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.after(() => server.close());
  return `unix://${path}`;
}
