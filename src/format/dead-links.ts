import { mapInlines } from './map-inlines.ts';
import { type Block, type Inline, text } from './nodes.ts';
import { type Rewriter, rewrite } from './rewrite.ts';

/** Invisible, and enough that the marks on its two sides mean nothing together. */
export const WORD_JOINER = '\u2060';

/** From a label to an address that leads elsewhere than to the web or to mail: `javascript:`, `file:`, a bare word. */
const FROM_LABEL = /\](?=\((?!\s*(?:https?:\/\/|mailto:)))/gi;

/**
 * For platforms that read Markdown but know no escapes: what looks like a link in text that stands for itself, as in raw
 * HTML, would be one there. Only what leads to the web or to mail may.
 */
export const withDeadLinks = (text: string): string => text.replace(FROM_LABEL, `]${WORD_JOINER}`);

/**
 * Markdown whose links lead to the web, to mail or to people. Of one that leads anywhere else the text stays, for
 * platforms that are given Markdown as it was written; code stays as it is. A text without such links comes back as it is.
 */
export const withLiveLinks = (markdown: string): string =>
  markdown.includes(':') ? rewrite(markdown, [':'], new Unlinker()) : markdown;

/** Spaces and control characters inside of a scheme do not keep a client from following it. */
const LEADS_ELSEWHERE = /^(?!https?:|mailto:|mention:)[a-z][a-z\d+.-]*:/i;
const leadsElsewhere = (url: string): boolean => LEADS_ELSEWHERE.test(url.replace(/[\s\p{Cc}]/gu, ''));

class Unlinker implements Rewriter {
  changes = 0;

  block = (block: Block): Block => mapInlines(block, (inlines) => this.#inlines(inlines));

  #inlines(inlines: readonly Inline[]): Inline[] {
    return inlines.flatMap((inline) => this.#inline(inline));
  }

  #inline(inline: Inline): Inline[] {
    switch (inline.type) {
      case 'text':
        return [text(this.#changed(inline.value, withDeadLinks(inline.value)))];
      case 'image':
        return leadsElsewhere(inline.url) ? [text(this.#changed(inline.url, inline.alt))] : [inline];
      case 'link':
        if (!leadsElsewhere(inline.url)) return [inline];
        this.changes += 1;
        return this.#inlines(inline.children);
      case 'strong':
      case 'emphasis':
      case 'delete':
        return [{ ...inline, children: this.#inlines(inline.children) }];
      case 'inlineCode':
      case 'break':
        return [inline];
      default:
        return inline satisfies never;
    }
  }

  #changed(before: string, after: string): string {
    if (after !== before) this.changes += 1;
    return after;
  }
}
