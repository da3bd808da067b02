import { acceptedLanguage } from '../base/http.ts';
import type { Language } from '../base/sentences.ts';
import { staticFiles } from '../base/static-files.ts';
import type { Connection } from './operator.ts';

const files = staticFiles(new URL('assets/', import.meta.url), ['connect.css', 'connect.js']);
const PARTS = '/channels/assets/';

type Words = Readonly<Record<'title' | 'back' | 'label' | 'submit' | 'sent' | 'failed', string>>;

const words: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Log in to',
    back: 'Back to Antler',
    label: 'Number that the phone shows',
    submit: 'Send',
    sent: 'Sent. The phone goes on in a moment.',
    failed: 'That did not work. Try again.',
  },
  zh: {
    title: '登录',
    back: '返回 Antler',
    label: '手机上显示的数字',
    submit: '提交',
    sent: '已提交，请看手机。',
    failed: '没有成功，请重试。',
  },
};

/**
 * The page on which a channel is logged in: `/channels/<name>/login` shows the newest QR code and keeps itself up to
 * date until the channel is connected. Stands behind the owner's guard.
 *
 * @returns null for a path that is not its own, and for a channel that is not there
 */
export function connectPage(
  connectionOf: (channel: string) => Connection | undefined,
): (request: Request) => Promise<Response | null> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET') return null;
    if (pathname.startsWith(PARTS)) return files.part(pathname.slice(PARTS.length), request);
    const channel = channelIn(pathname);
    const connection = channel === null ? undefined : connectionOf(channel);
    if (channel === null || connection === undefined) return null;
    const language = acceptedLanguage(request.headers.get('accept-language'));
    return await show(channel, connection, language);
  };
}

function channelIn(pathname: string): string | null {
  const name = /^\/channels\/([^/]+)\/login$/.exec(pathname)?.[1];
  if (name === undefined) return null;
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}

/** The template's own words are escaped as they are filled in; the picture is drawn here and holds no text of others. */
async function show(channel: string, connection: Connection, language: Language): Promise<Response> {
  const { title, ...said } = words[language];
  const isLogin = connection.state === 'login';
  const page = await files.page('connect.html', language, {
    ...said,
    title: `${title} ${channel}`,
    channel,
    state: connection.state,
    hint: hintOf(connection, language),
    code: isLogin && connection.wantsCode === true ? 'wanted' : 'unwanted',
  });
  return isLogin ? new Response(await withPicture(await page.text(), connection.qr), page) : page;
}

/** Dark on light with a margin, whatever the page's colours are: cameras want it so. */
async function withPicture(html: string, qr: string): Promise<string> {
  const { renderSVG } = await import('uqr');
  const picture = renderSVG(qr, { border: 3, blackColor: '#000', whiteColor: '#fff' });
  return html.replace('<div id="picture"></div>', () => `<div id="picture">${picture}</div>`);
}

const chinese: Partial<Record<Connection['state'], string>> = {
  login: '请用手机扫描二维码，并在手机上确认。二维码五分钟内有效。',
  connected: '已连接。',
  standby: '已由另一个进程连接。',
  connecting: '正在连接……',
  stopped: '已停止。',
};

const english: Partial<Record<Connection['state'], string>> = {
  connected: 'Connected.',
  standby: 'Another gateway has the connection.',
  connecting: 'Connecting…',
  stopped: 'Stopped.',
};

function hintOf(connection: Connection, language: Language): string {
  if (connection.state === 'failing') return connection.problem;
  if (connection.state === 'login' && language === 'zh')
    return connection.wantsCode === true ? '请输入手机上显示的数字。' : (chinese.login ?? '');
  if (connection.state === 'login') return connection.hint;
  return (language === 'zh' ? chinese : english)[connection.state] ?? connection.state;
}
