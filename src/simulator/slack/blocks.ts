import { property } from '../../base/property.ts';
import { ApiError } from './api-error.ts';
import type { SlackLimits } from './limits.ts';
import type { Block } from './model.ts';

const invalid = (why: string): ApiError =>
  new ApiError('invalid_blocks', { errors: [why], response_metadata: { messages: [`[ERROR] ${why}`] } });

/** Refuses blocks that Slack would refuse. */
export function checkBlocks(
  blocks: readonly Readonly<Record<string, unknown>>[],
  limits: SlackLimits,
): readonly Block[] {
  if (blocks.length > limits.blocks)
    throw invalid(`no more than ${limits.blocks} items allowed [json-pointer:/blocks]`);
  const markdown = blocks.filter(({ type }) => type === 'markdown').map(({ text }) => text);
  if (markdown.some((text) => typeof text !== 'string' || text === ''))
    throw invalid('must be a string of at least 1 character');
  if (markdown.join('').length > limits.markdownChars) throw new ApiError('msg_blocks_too_long');
  if (JSON.stringify(blocks.map(textsIn)).length > limits.blocksChars) throw new ApiError('msg_blocks_too_long');
  return blocks.map((block) => {
    if (typeof block.type !== 'string') throw invalid('unsupported type');
    if (block.type === 'section') checkSection(block, limits);
    if (block.type === 'actions') checkActions(block, limits);
    return block as Block;
  });
}

function checkSection({ text }: Readonly<Record<string, unknown>>, limits: SlackLimits): void {
  const value = property(text, 'text');
  if (typeof value !== 'string' || value === '') throw invalid('missing required field: text');
  if (value.length > limits.sectionChars) throw invalid(`must be less than ${limits.sectionChars + 1} characters`);
}

function checkActions({ elements }: Readonly<Record<string, unknown>>, limits: SlackLimits): void {
  if (!Array.isArray(elements) || elements.length === 0 || elements.length > limits.actionElements) {
    throw invalid(`no more than ${limits.actionElements} items allowed [json-pointer:/blocks/elements]`);
  }
  const ids = elements.map((element) => property(element, 'action_id'));
  if (new Set(ids).size !== ids.length) throw invalid('`action_id` is not unique');
  for (const element of elements) {
    const label = property(property(element, 'text'), 'text');
    const value = property(element, 'value');
    if (typeof label !== 'string' || label === '' || label.length > limits.buttonTextChars)
      throw invalid('bad button text');
    if (value !== undefined && String(value).length > limits.buttonValueChars) throw invalid('bad button value');
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (key === 'type' || key === 'value' ? [] : textsIn(item)));
}
