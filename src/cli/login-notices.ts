import type { ConnectionStatus } from '../channel/port.ts';

export interface LoginNoticesOptions {
  /** Prints a line, or several. */
  readonly print: (text: string) => void;
  /** Where Antler's page is, without a slash at its end. */
  readonly url: string;
  /** The terminal knows colours. Default: false. */
  readonly colours?: boolean;
}

/** So many codes in a row are drawn; after that nobody is looking, and the page has the newest one. */
const DRAWN_MOST = 4;

interface Shown {
  readonly qr: string;
  readonly asked: boolean;
  readonly count: number;
}

/**
 * Says in the terminal when a channel waits for somebody to scan a QR code: each code once, then that it was done. The
 * library that draws is loaded only for that.
 */
export function loginNotices({
  print,
  url,
  colours = false,
}: LoginNoticesOptions): (channel: string, status: ConnectionStatus | { readonly state: 'standby' }) => void {
  const waiting = new Map<string, Shown>();
  let printed: Promise<void> = Promise.resolve();
  const inOrder = (write: () => void | Promise<void>): void => {
    printed = printed.then(write).catch((error: unknown) => print(`The QR code cannot be drawn: ${String(error)}`));
  };

  return (channel, status) => {
    const before = waiting.get(channel);
    if (status.state === 'connected' && before !== undefined) {
      waiting.delete(channel);
      inOrder(() => print(`${channel}: logged in.`));
    }
    if (status.state !== 'login') return;
    const { qr, hint, wantsCode = false } = status;
    const page = `${url}/channels/${encodeURIComponent(channel)}/login`;
    const isNew = before?.qr !== qr;
    const count = (before?.count ?? 0) + (isNew ? 1 : 0);
    if (isNew && count <= DRAWN_MOST) inOrder(async () => print(await notice({ channel, qr, hint, page, colours })));
    if (isNew && count === DRAWN_MOST + 1)
      inOrder(() => print(`${channel}: nobody has scanned a code. ${page} always shows the newest one.`));
    if (wantsCode && !(before?.asked === true && !isNew))
      inOrder(() => print(`${channel}: ${hint} ${page} takes it, or: antler channels login-code ${channel}=NUMBER`));
    waiting.set(channel, { qr, asked: wantsCode, count });
  };
}

interface Notice {
  readonly channel: string;
  readonly qr: string;
  readonly hint: string;
  readonly page: string;
  readonly colours: boolean;
}

async function notice({ channel, qr, hint, page, colours }: Notice): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr');
  const lines = renderUnicodeCompact(qr, { border: 2 }).split('\n');
  const picture = colours ? lines.map((line) => WHITE_ON_BLACK + line + AS_BEFORE) : lines;
  return `\n${picture.join('\n')}\n\n${channel}: ${hint}\nThe code is at ${page}, too.\n`;
}

/** The blocks are the light parts of the code: in a terminal that is light itself, cameras would see a negative. */
const WHITE_ON_BLACK = '\u001b[97;40m';
const AS_BEFORE = '\u001b[0m';
