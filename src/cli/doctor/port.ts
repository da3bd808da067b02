import { createServer } from 'node:net';
import { fail, ok, type Verdict } from './check.ts';

/** Is the address free, or is it Antler that holds it? */
export async function checkPort(host: string, port: number, signal: AbortSignal): Promise<Verdict> {
  const where = `${host}:${port}`;
  if (port === 0) return ok('any free port will be taken');
  switch (await tryToListen(host, port)) {
    case null:
      return ok(`${where} is free`);
    case 'EADDRINUSE':
      return (await isAntler(host, port, signal))
        ? ok(`${where} is served by a running Antler`)
        : fail(`${where} is taken by another program; stop it, or choose another port (--port, or server.port)`);
    case 'EACCES':
      return fail(`this user may not listen on ${where}; choose a port above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return fail(`this machine has no address ${host}; set server.host to 127.0.0.1 or 0.0.0.0`);
    default:
      return fail(`cannot listen on ${where}`);
  }
}

/** The error's code, or null when it worked. */
function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve('code' in error ? String(error.code) : 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/** By what `/healthz` says. */
async function isAntler(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const address = reachable.includes(':') ? `[${reachable}]` : reachable;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(3000)]);
    const answer = await fetch(`http://${address}:${port}/healthz`, { signal: limit });
    const body: unknown = await answer.json();
    return answer.ok && typeof body === 'object' && body !== null && 'status' in body && body.status === 'ok';
  } catch {
    return false;
  }
}
