import { SESSION_DAYS } from './sessions.ts';

const NAME = 'antler_session';

/** Out of the reach of scripts and of other sites. */
export function sessionCookie(secret: string, secure: boolean): string {
  return cookie(secret, SESSION_DAYS * 86_400, secure);
}

export function clearedCookie(secure: boolean): string {
  return cookie('', 0, secure);
}

function cookie(value: string, maxAgeSeconds: number, secure: boolean): string {
  const parts = [`${NAME}=${value}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Strict'];
  if (secure) parts.push('Secure');
  return parts.join('; ');
}

export function readCookie(request: Request): string | null {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === NAME && value !== undefined && /^[\w-]{20,100}$/.test(value)) return value;
  }
  return null;
}
