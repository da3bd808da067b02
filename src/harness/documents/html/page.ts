import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import type { Converted } from '../port.ts';
import { problems } from '../problems.ts';
import { elementToMarkdown } from './markdown.ts';

/** What stands around a page's text, and what its readers do not see. */
const AROUND =
  'nav,footer,aside,dialog,button,select,[role="navigation"],[role="banner"],[role="contentinfo"],[role="search"]';
const UNSEEN =
  'script,style,noscript,template,[hidden],[aria-hidden="true"],[style*="display:none"],[style*="display: none"],[style*="visibility:hidden"]';
/** An article of less is a teaser, and the page is a list of such. */
const MIN_ARTICLE_CHARS = 400;
const MIN_ARTICLE_SHARE = 0.5;
/** Browsers go no deeper (Chromium's HTML parser), and what walks a tree below takes a square of it. */
const MAX_DEPTH = 512;

/** All of an HTML document. Links become absolute where it is known where the document is from. */
export function htmlToMarkdown(html: string, url?: string): Converted {
  const document = parse(html, url);
  remove(document, UNSEEN);
  return { text: elementToMarkdown(document.body), ...titled(document) };
}

/** The article of a web page, or all of its text where it has none. */
export function pageToMarkdown(html: string, url: string): Converted {
  const document = parse(html, url);
  const title = titled(document);
  const whole = parse(html, url);
  remove(document, AROUND); // the scripts stay for Readability, which finds dates in them
  remove(whole, `${UNSEEN},${AROUND}`);
  const article = new Readability(document).parse();
  const length = article?.textContent?.trim().length ?? 0;
  const all = whole.body.textContent?.trim().length ?? 0;
  if (article?.content == null || (length < MIN_ARTICLE_CHARS && length < all * MIN_ARTICLE_SHARE))
    return { text: elementToMarkdown(whole.body), ...title };
  const published = article.publishedTime?.slice(0, 40);
  return {
    text: elementToMarkdown(parse(article.content, url).body),
    ...(article.title ? { title: article.title.slice(0, 300) } : title),
    ...(published ? { published } : {}),
  };
}

function remove(document: Document, selector: string): void {
  for (const element of document.querySelectorAll(selector)) element.remove();
}

function parse(html: string, url: string | undefined): Document {
  const text = /<html[\s>]/i.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`;
  const { document } = parseHTML(text) as unknown as { document: Document };
  if (depthOf(document.documentElement) > MAX_DEPTH) throw problems.tooDeep();
  if (url !== undefined) absolute(document, url);
  return document;
}

/** Without recursion, which is what deep trees break. */
function depthOf(root: Element): number {
  let most = 1;
  const open: { readonly element: Element; readonly depth: number }[] = [{ element: root, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    most = Math.max(most, next.depth);
    for (let child = next.element.firstElementChild; child !== null; child = child.nextElementSibling)
      open.push({ element: child, depth: next.depth + 1 });
  }
  return most;
}

/** Makes links and pictures absolute, and drops those that lead nowhere (scripts, data, the page itself). */
function absolute(document: Document, url: string): void {
  const base = URL.parse(document.querySelector('base[href]')?.getAttribute('href') ?? '', url)?.href ?? url;
  for (const [selector, name] of [
    ['a[href]', 'href'],
    ['img', 'src'],
  ] as const)
    for (const element of document.querySelectorAll(selector)) {
      const target = URL.parse(element.getAttribute(name) ?? '', base);
      const isWorth = target !== null && /^(?:https?|mailto|tel):$/.test(target.protocol);
      if (isWorth && !(element.getAttribute(name) ?? '').startsWith('#')) element.setAttribute(name, target.href);
      else element.removeAttribute(name);
    }
}

function titled(document: Document): { readonly title?: string } {
  const name = document.querySelector('title')?.textContent ?? '';
  const title = name.replace(/\s+/g, ' ').trim().slice(0, 300);
  return title === '' ? {} : { title };
}
