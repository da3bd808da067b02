import type { z } from 'zod';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { backoffMs } from '../../../src/channel/backoff.ts';
import type { ConnectionStatus } from '../../../src/channel/port.ts';
import { ILINK_POLL_HOLD_MS, ILINK_QR_LASTS_MS, ILINK_QR_LOOK_MS, ILINK_QR_SHORT_LIFE_MS } from '../limits.ts';
import { get, post } from './client.ts';
import type { Credentials } from './credentials.ts';
import { trusted } from './hosts.ts';
import { qrShape, qrStatusShape } from './wire.ts';

export interface LoginOptions {
  /** Where every login begins. */
  readonly apiRoot: string;
  /** Of the last login; the server tells by it when the same person scans again. */
  readonly former: Credentials | null;
  /** The number that somebody has typed in, once; undefined while nobody has. */
  readonly takeCode: () => string | undefined;
  /** Resolves when there is a number to take, or when `signal` aborts. */
  readonly codeTyped: (signal: AbortSignal) => Promise<void>;
  readonly report: (status: ConnectionStatus) => void;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** How one QR code ended. `used`: it is of no use any more, and a new one is needed. */
type Ending = { readonly kind: 'confirmed'; readonly credentials: Credentials } | { readonly kind: 'used' };

const HINTS = {
  scan: 'Scan the code with WeChat on your phone and confirm there; it is valid for five minutes.',
  confirm: 'The code was scanned. Confirm on the phone.',
  type: 'Type in the number that the phone shows.',
  wrong: 'That was not the number. Type in the one that the phone shows.',
} as const;

/**
 * Logs in by QR code, with a new code whenever one has run out, until somebody has confirmed: whoever comes, and be it
 * tomorrow, finds one that is good. Rejects only when `signal` aborts (`cancelled`).
 */
export async function login(options: LoginOptions): Promise<Credentials> {
  const { report, clock, log, signal } = options;
  /** Codes in a row that could not be had, or were of no use at once. */
  let failures = 0;
  for (;;) {
    const began = clock.now();
    try {
      const ending = await tryCode(options);
      if (ending.kind === 'confirmed') return ending.credentials;
      failures = clock.now() - began < ILINK_QR_SHORT_LIFE_MS ? failures + 1 : 0;
      if (failures > 0) await clock.sleep(backoffMs(failures), signal);
    } catch (thrown) {
      if (signal.aborted) throw new AntlerError('cancelled', 'The login was cancelled.');
      const error = asAntlerError(thrown);
      failures += 1;
      log.warn({ code: error.code, problem: error.message, failures }, 'a login by QR code failed');
      report({ state: 'failing', problem: error.message });
      await clock.sleep(error.retryAfterMs ?? backoffMs(failures), signal).catch(() => {}); // stopped
    }
  }
}

/** Shows one code until it is confirmed or used up. */
async function tryCode(options: LoginOptions): Promise<Ending> {
  const { apiRoot, former, takeCode, codeTyped, report, clock, log, signal } = options;
  const { qrcode, qrcode_img_content: qr } = await post(
    apiRoot,
    'ilink/bot/get_bot_qrcode?bot_type=3',
    { local_token_list: former === null ? [] : [former.token] },
    qrShape,
    { signal, idempotent: true },
  );
  let shown: keyof typeof HINTS | undefined;
  const show = (hint: keyof typeof HINTS): void => {
    if (hint === shown) return;
    shown = hint;
    const wants = hint === 'type' || hint === 'wrong' ? { wantsCode: true } : {};
    report({ state: 'login', qr, hint: HINTS[hint], ...wants });
  };
  const until = clock.now() + ILINK_QR_LASTS_MS;
  let root = apiRoot;
  let code: string | undefined;
  takeCode(); // what was typed for an earlier code
  show('scan');
  while (clock.now() < until) {
    const looked = await look(root, qrcode, code, options);
    switch (looked.status) {
      case 'wait':
        break;
      case 'scaned':
        code = undefined;
        show('confirm');
        break;
      case 'need_verifycode':
        show(code === undefined ? 'type' : 'wrong');
        await codeTyped(AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, until - clock.now()))]));
        code = takeCode();
        continue; // the phone is waiting
      case 'scaned_but_redirect':
        root = redirected(looked.redirect_host, apiRoot) ?? root;
        break;
      case 'binded_redirect':
        if (former !== null) return { kind: 'confirmed', credentials: former };
        throw new AntlerError('conflict', BOUND_ELSEWHERE, { retryAfterMs: READING_MS });
      case 'confirmed':
        return { kind: 'confirmed', credentials: confirmed(looked, apiRoot) };
      case 'expired':
      case 'verify_code_blocked':
        return { kind: 'used' };
      default:
        log.warn({ status: looked.status.slice(0, 40) }, 'an unknown state of a login');
    }
    await clock.sleep(ILINK_QR_LOOK_MS, signal);
  }
  return { kind: 'used' };
}

const BOUND_ELSEWHERE =
  'WeChat says that this account has a bot already, whose login is kept elsewhere; remove that one in WeChat first.';
/** So long a sentence stands before a new code takes its place. */
const READING_MS = 15_000;

type Look = z.output<typeof qrStatusShape>;

/** A look that is not answered says nothing; the code itself goes on. */
async function look(
  root: string,
  qrcode: string,
  code: string | undefined,
  { signal, log }: LoginOptions,
): Promise<Look> {
  const query = new URLSearchParams({ qrcode, ...(code === undefined ? {} : { verify_code: code }) });
  try {
    return await get(root, `ilink/bot/get_qrcode_status?${query}`, qrStatusShape, {
      signal,
      timeoutMs: ILINK_POLL_HOLD_MS,
      idempotent: true,
    });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const error = asAntlerError(thrown);
    if (error.code !== 'timeout') log.warn({ code: error.code, problem: error.message }, 'a look at a QR code failed');
    return { status: 'wait' };
  }
}

/** Undefined where there is nothing to follow. */
function redirected(host: string | undefined, apiRoot: string): string | undefined {
  if (host === undefined) return undefined;
  const address = `${new URL(apiRoot).protocol}//${host}`;
  if (trusted(address, apiRoot) === null)
    throw new AntlerError('forbidden', 'WeChat’s answer leads the login to a foreign host; it was not followed.');
  return address;
}

function confirmed(
  { bot_token: token, ilink_bot_id: bot, baseurl, ilink_user_id: owner }: Look,
  apiRoot: string,
): Credentials {
  if (token === undefined || bot === undefined)
    throw new AntlerError('unavailable', 'WeChat confirmed the login without saying who the bot is.');
  const root = trusted(baseurl ?? apiRoot, apiRoot);
  if (root === null)
    throw new AntlerError('forbidden', 'WeChat’s answer leads the bot to a foreign host; it was not followed.');
  return { token, root, bot, owner: owner ?? '' };
}
