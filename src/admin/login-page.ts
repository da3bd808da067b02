import { acceptedLanguage, failureResponse } from '../base/http.ts';
import type { Language } from '../base/sentences.ts';
import { staticFiles } from '../base/static-files.ts';

const files = staticFiles(new URL('assets/', import.meta.url), ['icon.svg', 'login.css', 'login.js', 'theme.css']);

const words: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    title: 'Sign in – Antler',
    heading: 'Sign in',
    explain: 'Antler printed the owner’s token when it first started. Enter it here.',
    label: 'Owner’s token',
    submit: 'Sign in',
    wrong: 'That is not the owner’s token.',
    wait: 'Too many wrong tokens. Wait ten minutes and try again.',
    failed: 'The server did not answer. Try again.',
    lost: 'Lost it? “npx antler owner-token” on the server makes a new one, unless the configuration sets one.',
  },
  zh: {
    title: '登录 – Antler',
    heading: '登录',
    explain: 'Antler 首次启动时在终端里显示过管理员令牌，请在这里输入。',
    label: '管理员令牌',
    submit: '登录',
    wrong: '令牌不正确。',
    wait: '错误次数过多，请十分钟后再试。',
    failed: '服务器没有响应，请重试。',
    lost: '找不到令牌？在服务器上运行 npx antler owner-token 可以生成新的（配置文件里指定了令牌时除外）。',
  },
};

/** What a signed-out visitor sees in place of any page. */
export function loginPage(request: Request): Promise<Response> {
  const language = acceptedLanguage(request.headers.get('accept-language'));
  return files.page('login.html', language, words[language], 401);
}

/** Files that everybody may load: the login page needs them, and other pages share the theme. */
export async function publicPart(pathname: string, request: Request): Promise<Response> {
  const part = await files.part(pathname.slice('/assets/'.length), request);
  return part ?? failureResponse(404, 'not_found', 'There is nothing at this address.');
}
