import { property } from '../../../../src/base/property.ts';
import type { Fault } from './protocol.ts';

const MESSAGE_MAX = 500;
/** gRPC's status that says nothing; wechaty gives it to every error that has another code, or none. */
const UNKNOWN = 2;

/**
 * What is told of an error outside of the process. wechaty's own server quotes a wrong token in its answer, so secrets
 * are struck out here.
 */
export function faultOf(thrown: unknown, secrets: readonly string[]): Fault {
  const text = thrown instanceof Error ? thrown.message : describe(thrown);
  const message = secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '***')), text);
  const own = codeOf(thrown);
  const code = own === undefined || own === UNKNOWN ? (codeIn(text) ?? own) : own;
  return { message: message.slice(0, MESSAGE_MAX), ...(code === undefined ? {} : { code }) };
}

/** wechat4u asserts that WeChat's `Ret` is 0, and throws what it was as `actual`; everybody else has a `code`. */
function codeOf(thrown: unknown): number | string | undefined {
  const actual = property(thrown, 'actual');
  if (typeof actual === 'number') return `RET_${actual}`;
  const code = property(thrown, 'code');
  return typeof code === 'number' || (typeof code === 'string' && code !== 'ERR_ASSERTION') ? code : undefined;
}

/** wechaty packs errors into texts on their way, which lose their codes: `14 UNAVAILABLE: …`, `… ENOTFOUND …`. */
function codeIn(text: string): number | string | undefined {
  const status = /^(?:Error: )?(\d{1,2}) [A-Z_]+:/.exec(text)?.[1];
  return status === undefined ? /\bE[A-Z]{3,}(?:_[A-Z]+)*\b/.exec(text)?.[0] : Number(status);
}

function describe(thrown: unknown): string {
  const message = property(thrown, 'message') ?? property(thrown, 'gerror') ?? property(thrown, 'data');
  return typeof message === 'string' ? message : String(thrown);
}
