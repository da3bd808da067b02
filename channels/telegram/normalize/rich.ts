import type { InboundFile } from '../../../src/channel/message.ts';
import type { Content } from './content.ts';
import { fileOf, photoOf } from './files.ts';
import { type Entity, fileShape, photoShape, userShape } from './wire.ts';

/**
 * A rich message (https://core.telegram.org/bots/api#richmessage) as Markdown that reads well. Its blocks nest, and
 * more kinds of them come with time; one that is not known is read for the texts and blocks inside.
 */
export function richContent(blocks: readonly unknown[]): Partial<Content> {
  const reader = new RichReader();
  reader.blocks(blocks);
  const { text, entities, files } = reader;
  return { text: text.trimEnd(), entities, files, placeholder: '[rich message]' };
}

type Fields = Readonly<Record<string, unknown>>;

class RichReader {
  text = '';
  readonly entities: Entity[] = [];
  readonly files: InboundFile[] = [];

  blocks(value: unknown, gap = '\n\n'): void {
    listOf(value).forEach((block, index) => {
      if (index > 0) this.text += gap;
      this.#block(fieldsOf(block));
    });
  }

  #block(block: Fields): void {
    switch (block.type) {
      case 'heading':
        this.text += `${'#'.repeat(Math.min(6, Math.max(1, Number(block.size) || 1)))} `;
        this.#inline(block.text);
        return;
      case 'pre':
        this.text += `\`\`\`${typeof block.language === 'string' ? block.language : ''}\n`;
        this.#inline(block.text);
        this.text += '\n```';
        return;
      case 'divider':
        this.text += '---';
        return;
      case 'list':
        this.#list(listOf(block.items).map(fieldsOf));
        return;
      case 'blockquote':
      case 'expandable_blockquote':
      case 'pullquote':
        this.#nested(block, '> ', '> ');
        return;
      case 'table':
        this.#table(block);
        return;
      case 'map': {
        const { latitude, longitude } = fieldsOf(block.location);
        this.text += `[location ${latitude}, ${longitude}]`;
        return;
      }
      case 'buttons':
        for (const button of listOf(block.buttons)) this.#inline({ type: 'button', button });
        return;
      default:
        this.#file(block);
        this.#inside(block);
        return;
    }
  }

  /** All that a block may hold. */
  #inside(block: Fields): void {
    this.#inline(block.summary ?? block.text ?? block.expression);
    if (block.summary !== undefined) this.text += '\n';
    this.blocks(block.blocks);
    const caption = fieldsOf(block.caption);
    this.#inline(caption.text);
  }

  /** With marks before its lines, which would shift entities; what is quoted calls nobody anyway. */
  #nested(block: Fields, first: string, others: string): void {
    const reader = new RichReader();
    reader.#inside(block);
    this.files.push(...reader.files);
    this.text += reader.text
      .split('\n')
      .map((line, index) => ((index === 0 ? first : others) + line).trimEnd())
      .join('\n');
  }

  #list(items: readonly Fields[]): void {
    items.forEach((item, index) => {
      if (index > 0) this.text += '\n';
      const label = typeof item.label === 'string' && /^\w/.test(item.label) ? item.label : '-';
      const box = item.has_checkbox !== true ? '' : item.is_checked === true ? '[x] ' : '[ ] ';
      this.#nested(item, `${label} ${box}`, '  ');
    });
  }

  #table({ cells, caption }: Fields): void {
    listOf(cells).forEach((row, index) => {
      if (index > 0) this.text += '\n';
      const columns = listOf(row);
      this.text += '| ';
      for (const cell of columns) {
        this.#inline(fieldsOf(cell).text);
        this.text += ' | ';
      }
      this.text = this.text.trimEnd();
      if (index === 0) this.text += `\n|${' --- |'.repeat(columns.length)}`;
    });
    if (caption !== undefined) this.text += '\n';
    this.#inline(caption);
  }

  #file(block: Fields): void {
    const file = (value: unknown) => fileShape.safeParse(value).data;
    const audio = file(block.audio);
    const voice = file(block.voice_note);
    const video = file(block.video) ?? file(block.animation);
    const document = file(block.document);
    const found =
      photoOf(photoShape.safeParse(block.photo).data) ??
      (audio && fileOf('audio', audio, 'mp3')) ??
      (voice && fileOf('voice', voice, 'ogg')) ??
      (video && fileOf('video', video, 'mp4')) ??
      (document && fileOf('file', document, 'bin'));
    if (found === undefined) return;
    this.files.push(found);
    this.text += `[${found.kind}] `;
  }

  #inline(value: unknown): void {
    if (typeof value === 'string') this.text += value;
    else if (Array.isArray(value)) for (const part of value) this.#inline(part);
    else this.#inlineNode(fieldsOf(value));
  }

  #inlineNode(node: Fields): void {
    const offset = this.text.length;
    switch (node.type) {
      case undefined:
        return;
      case 'custom_emoji':
        this.#inline(node.alternative_text);
        return;
      case 'mathematical_expression':
        this.#inline(node.expression);
        return;
      case 'button':
        this.text += '[';
        this.#inline(fieldsOf(node.button).text);
        this.text += '] ';
        return;
      case 'url': {
        this.#inline(node.text);
        if (typeof node.url === 'string' && node.url !== this.text.slice(offset)) this.text += ` (${node.url})`;
        return;
      }
      default: {
        this.#inline(node.text);
        const user = userShape.safeParse(node.user).data;
        const entity = { type: String(node.type), offset, length: this.text.length - offset };
        if (CALLS.has(entity.type)) this.entities.push({ ...entity, ...(user === undefined ? {} : { user }) });
      }
    }
  }
}

/** Texts that call somebody. */
const CALLS = new Set(['mention', 'text_mention', 'bot_command']);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
