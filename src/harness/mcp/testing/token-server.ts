import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface TokenServer {
  readonly url: string;
  /** Each request's form, and its `Authorization` header. */
  readonly asked: readonly { readonly form: Record<string, string>; readonly authorization: string | undefined }[];
}

/** An OAuth token endpoint on a free loopback port. */
export async function startTokenServer(
  t: TestContext,
  answer: (form: Record<string, string>) => { readonly status?: number; readonly body: object },
): Promise<TokenServer> {
  const asked: { form: Record<string, string>; authorization: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += String(piece);
    const form = Object.fromEntries(new URLSearchParams(text));
    asked.push({ form, authorization: request.headers.authorization });
    const { status = 200, body } = answer(form);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`, asked };
}
