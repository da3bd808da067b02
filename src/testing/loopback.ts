import { createServer, type RequestListener } from 'node:http';
import type { TestContext } from 'node:test';

export interface Loopback {
  readonly port: number;
  /** E.g. `127.0.0.1:40123`. */
  readonly host: string;
  readonly url: string;
}

/** A web server of a test's own on a free loopback port; gone when the test has ended. */
export async function serveLoopback(t: TestContext, listener: RequestListener): Promise<Loopback> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const host = `127.0.0.1:${port}`;
  return { port, host, url: `http://${host}` };
}
