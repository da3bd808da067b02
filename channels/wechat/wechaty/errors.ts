import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import { type Fault, faults, type Task } from './process/protocol.ts';

/** A {@link Fault} on its way through the gateway's own process. */
export class WechatyFault extends Error {
  override readonly name = 'WechatyFault';
  readonly code: Fault['code'];

  constructor({ message, code }: Fault) {
    super(message);
    this.code = code;
  }
}

/** gRPC's status codes, as far as they say something. https://grpc.github.io/grpc/core/md_doc_statuscodes.html */
const grpc = {
  cancelled: 1,
  deadline: 4,
  notFound: 5,
  forbidden: 7,
  exhausted: 8,
  unimplemented: 12,
  unavailable: 14,
  token: 16,
};

/** WeChat's web protocol, in `BaseResponse.Ret`: the session is over; the account may not log in; too many messages. */
const ret = {
  loggedOut: new Set<unknown>(['RET_1100', 'RET_1101', 'RET_1102']),
  barred: 'RET_1203',
  tooFast: 'RET_1205',
};
/** Not published; those who were stopped by 1205 tell of minutes. */
const TOO_FAST_MS = 120_000;

/** The connection was never there, so nothing went over it. */
const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
/** The connection broke, or was too slow: whatever went over it may have arrived. */
const broken = new Set<unknown>([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'ECONNABORTED',
  grpc.cancelled,
  grpc.deadline,
]);

/** What a failed task means for the delivery or download that asked for it. */
export function taskError(thrown: unknown, task: Task['kind']): AntlerError {
  if (!(thrown instanceof WechatyFault)) return asAntlerError(thrown);
  const { code, message } = thrown;
  const text = `wechaty: ${message}`;
  const passing = { retryable: true, cause: thrown };
  /** Reading can always be done again. */
  const doubt = (): AntlerError =>
    task === 'fetch'
      ? new AntlerError('unavailable', text, passing)
      : new AntlerError('uncertain', text, { cause: thrown });
  if (code === faults.notLoggedIn || ret.loggedOut.has(code))
    return new AntlerError('unavailable', 'WeChat: nobody is logged in.', passing);
  if (code === faults.tooLarge) return new AntlerError('too_large', text);
  if (code === faults.lost || code === faults.late || broken.has(code)) return doubt();
  if (code === ret.tooFast) return new AntlerError('rate_limited', text, { ...passing, retryAfterMs: TOO_FAST_MS });
  if (code === ret.barred || code === grpc.forbidden) return new AntlerError('forbidden', text, { cause: thrown });
  if (neverConnected.has(String(code)) || isNeverConnected(message))
    return new AntlerError('unavailable', text, passing);
  if (code === grpc.unavailable || message.includes('RST_STREAM')) return doubt();
  if (code === grpc.token) return new AntlerError('unauthorized', TOKEN_REFUSED, { cause: thrown });
  if (code === grpc.exhausted) return new AntlerError('rate_limited', text, { ...passing, retryAfterMs: TOO_FAST_MS });
  if (code === grpc.unimplemented) return new AntlerError('unsupported', text, { cause: thrown });
  if (code === grpc.notFound || (task === 'fetch' && /not found|no message|id not/i.test(message)))
    return new AntlerError('not_found', text, { cause: thrown });
  return new AntlerError('internal', text, { cause: thrown });
}

/** Is it the network that failed? */
export const isOffline = ({ code, message }: Fault): boolean =>
  neverConnected.has(String(code)) || broken.has(code) || isNeverConnected(message);

/** gRPC has one status for connections that broke and for those that were never made; only its words differ. */
const isNeverConnected = (message: string): boolean =>
  /No connection established|ECONNREFUSED|ENOTFOUND|Name resolution/.test(message);

/** What is wrong with a bot that died, and what to do about it. */
export function lifeError({ message, code }: Fault): AntlerError {
  if (code === grpc.token) return new AntlerError('unauthorized', TOKEN_REFUSED);
  if (/SNI as prefix of the token/.test(message))
    return new AntlerError(
      'config_invalid',
      'puppet_options.token: a token for a service of your own begins with insecure_',
    );
  if (code === ret.barred || /当前登录环境异常|\b1203\b/.test(message))
    return new AntlerError('forbidden', 'WeChat does not let this account log in by the web protocol (1203).', {
      retryable: true,
    });
  return new AntlerError('unavailable', `wechaty stopped: ${message}`, { retryable: true });
}

const TOKEN_REFUSED = 'The puppet service does not accept the token; check puppet_options.token.';
