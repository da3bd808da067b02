import type { ChannelState, Document, SendOptions } from '../../../src/channel/port.ts';
import { BLANK, isBlank, parse, plain as plainText } from '../../../src/format/index.ts';
import { mend } from '../../../src/format/unfinished.ts';
import { buttonBlocks } from '../buttons.ts';
import { SECTION_MAX_CHARS, TEXT_MAX_CHARS } from '../limits.ts';
import { slackMarkdown } from './markdown.ts';
import { renderMrkdwn, renderPlain } from './render.ts';

/** What chat.postMessage and chat.update take as a message. */
export interface Body {
  readonly text: string;
  readonly blocks: readonly object[];
}

/**
 * A Markdown block, which Slack shows with headings, lists, code and tables as written, and the same as text for
 * notifications. Blocks are always given: an edit without them would leave the old ones standing.
 * https://docs.slack.dev/reference/block-kit/blocks/markdown-block
 */
export async function bodyOf(
  { markdown, buttons }: Document,
  { plain, draft }: Pick<SendOptions, 'plain' | 'draft'>,
  state: ChannelState,
): Promise<Body> {
  const written = (draft === true ? mend(markdown) : markdown).toWellFormed();
  const shown = isBlank(written) ? BLANK : written;
  const document = parse(shown);
  const actions = buttons === undefined || buttons.length === 0 ? [] : await buttonBlocks(buttons, state);
  if (plain === true) {
    const text = renderPlain(document);
    const needsBlocks = text.length > TEXT_MAX_CHARS || actions.length > 0;
    return { text: fitting(text), blocks: needsBlocks ? [...plainSections(plainText(document)), ...actions] : [] };
  }
  return {
    text: fitting(renderMrkdwn(document)),
    blocks: [{ type: 'markdown', text: slackMarkdown(shown) }, ...actions],
  };
}

function plainSections(text: string): object[] {
  const sections: object[] = [];
  for (let rest = text.toWellFormed() || BLANK; rest !== ''; ) {
    const piece = rest.slice(0, SECTION_MAX_CHARS).toWellFormed();
    const cut =
      piece.length < rest.length ? Math.max(piece.lastIndexOf('\n') + 1, SECTION_MAX_CHARS / 2) : piece.length;
    sections.push({ type: 'section', text: { type: 'plain_text', text: rest.slice(0, cut).toWellFormed() } });
    rest = rest.slice(cut);
  }
  return sections;
}

const fitting = (text: string): string =>
  text.length <= TEXT_MAX_CHARS ? text || BLANK : `${text.slice(0, TEXT_MAX_CHARS - 1).toWellFormed()}…`;
