import type { HeardEntry, UserEntry } from '../log.ts';
import { renderHeard } from './frame.ts';
import type { AssistantBlock, Block, PairedCall } from './pair.ts';
import { cutMiddle } from './text.ts';
import { estimateTokens, MESSAGE_TOKENS } from './tokens.ts';

/** Once over budget, this share of it is freed at a time, so that the start of the request stays the same, and cached, for many turns. */
const CUT_STEP = 0.25;
/** Tool results of the current turn are never cut below this. */
const MIN_RESULT_CHARS = 400;

export interface Window {
  readonly blocks: readonly Block[];
  /** Earlier messages were left out. */
  readonly cut: boolean;
}

/**
 * Chooses what fits into `budget` tokens. Whole turns are left out, oldest first, so a call is never parted from its
 * results; the current turn (from log index `turnStart` on) stays, with its longest tool results cut if it must be.
 */
export function cutToWindow(
  blocks: readonly Block[],
  turnStart: number,
  budget: number,
  size: (block: Block) => number,
): Window {
  const sizes = blocks.map(size);
  const excess = sum(sizes) - budget;
  if (excess <= 0) return { blocks, cut: false };

  const step = Math.max(1, Math.floor(budget * CUT_STEP));
  const toFree = Math.ceil(excess / step) * step;
  const current = currentTurn(blocks, turnStart);
  let start = 0;
  let freed = 0;
  while (start < current && freed < toFree) {
    do {
      freed += sizes[start] ?? 0;
      start++;
    } while (start < current && !startsTurn(blocks, start));
  }
  const kept = blocks.slice(start);
  const over = sum(sizes.slice(start)) - budget;
  return { blocks: over > 0 ? shortenResults(kept, budget, size) : kept, cut: start > 0 };
}

/** Tokens that one block takes in a request. */
export function blockTokens(block: Block, rendered: string, withReasoning: boolean): number {
  if (block.kind === 'user') return userTokens(block.entry, rendered);
  if (block.kind === 'heard') return userTokens(block.entry, renderHeard(block.entry));
  const { spoken, thought } = assistantTokens(block);
  return withReasoning ? spoken + thought : spoken;
}

const userTokensBefore = new WeakMap<UserEntry | HeardEntry, { readonly rendered: string; readonly tokens: number }>();

function userTokens(entry: UserEntry | HeardEntry, rendered: string): number {
  const known = userTokensBefore.get(entry);
  if (known?.rendered === rendered) return known.tokens;
  const tokens = MESSAGE_TOKENS + estimateTokens(rendered);
  userTokensBefore.set(entry, { rendered, tokens });
  return tokens;
}

interface AssistantTokens {
  readonly spoken: number;
  readonly thought: number;
}

const assistantTokensBefore = new WeakMap<AssistantBlock, AssistantTokens>();

function assistantTokens(block: AssistantBlock): AssistantTokens {
  const known = assistantTokensBefore.get(block);
  if (known !== undefined) return known;
  const { text, reasoning = '' } = block.entry;
  const spoken = MESSAGE_TOKENS + estimateTokens(text) + sum(block.calls.map(callTokens));
  const counted = { spoken, thought: estimateTokens(reasoning) };
  assistantTokensBefore.set(block, counted);
  return counted;
}

function callTokens(call: PairedCall): number {
  const texts = [call.name, call.arguments, call.result];
  return 2 * MESSAGE_TOKENS + sum(texts.map(estimateTokens));
}

/** A turn starts with what people wrote; several messages in a row are one turn. */
function startsTurn(blocks: readonly Block[], at: number): boolean {
  return isSaid(blocks[at]) && !isSaid(blocks[at - 1]);
}

const isSaid = (block: Block | undefined): boolean => block?.kind === 'user' || block?.kind === 'heard';

function currentTurn(blocks: readonly Block[], turnStart: number): number {
  const at = blocks.findIndex((block) => block.index >= turnStart);
  if (at !== -1) return at;
  // Nothing of this turn is in the log: the last exchange is the closest to it.
  return Math.max(
    0,
    blocks.findLastIndex((_, index) => startsTurn(blocks, index)),
  );
}

function shortenResults(blocks: readonly Block[], budget: number, size: (block: Block) => number): Block[] {
  let shortened = [...blocks];
  for (let maxChars = 16_000; maxChars >= MIN_RESULT_CHARS; maxChars = Math.floor(maxChars / 2)) {
    shortened = shortened.map((block) => withResultsOf(block, maxChars));
    if (sum(shortened.map(size)) <= budget) break;
  }
  return shortened;
}

function withResultsOf(block: Block, maxChars: number): Block {
  if (block.kind !== 'assistant') return block;
  return { ...block, calls: block.calls.map((call) => ({ ...call, result: cutMiddle(call.result, maxChars) })) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
