import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk';
import { cutEnd, cutMiddle } from '../transcript/text.ts';

/** What the model reads of a result. */
const MAX_REPORT_CHARS = 12_000;
/** What is kept while it comes in. */
const MAX_KEPT_CHARS = 400_000;
const MAX_PROGRESS_CHARS = 160;

/** Collects what an agent says. Its thoughts are nobody's business, and what its tools return is its own. */
export class AgentReport {
  #text = '';
  #inMessage = false;

  /** Takes an update in; returns what is to be shown as progress, null for nothing new. */
  add(update: SessionUpdate): string | null {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk': {
        const more = textOf(update.content);
        if (!this.#inMessage && this.#text !== '') this.#text += '\n\n';
        this.#inMessage = true;
        this.#text += more;
        if (this.#text.length > MAX_KEPT_CHARS) this.#text = cutMiddle(this.#text, MAX_KEPT_CHARS / 2);
        return more.trim() === ''
          ? null
          : oneLine(
              this.#text
                .slice(-4 * MAX_PROGRESS_CHARS)
                .split(/\n+/)
                .at(-1) ?? '',
            );
      }
      case 'tool_call':
        this.#inMessage = false;
        return oneLine(update.title);
      case 'plan': {
        const current = update.entries.find(({ status }) => status === 'in_progress');
        return current === undefined ? null : oneLine(current.content);
      }
      default:
        return null;
    }
  }

  get text(): string {
    return cutMiddle(this.#text.trim(), MAX_REPORT_CHARS);
  }
}

function textOf(content: ContentBlock): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'resource_link':
      return `[link ${content.name}: ${content.uri}]`;
    default:
      return `[${content.type}]`;
  }
}

/** As people read it below a growing answer. */
export function oneLine(text: string, most = MAX_PROGRESS_CHARS): string {
  const flat = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  return cutEnd(flat, most);
}
