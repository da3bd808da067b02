import type { ToolCall } from '../log.ts';
import { parseArguments } from '../transcript/arguments.ts';

/** A piece of a tool call as a stream brings it; any field may be missing. */
export interface CallDelta {
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
  readonly extra?: ToolCall['extra'] | undefined;
}

interface OpenCall {
  readonly index: number | undefined;
  id: string | undefined;
  name: string;
  arguments: string;
  extra: ToolCall['extra'] | undefined;
}

/**
 * Joins the pieces of tool calls. OpenAI numbers the calls and names each once; others leave the numbers out, number
 * every call 0, send names late, in fragments or with each piece, or invent a new id for each piece.
 */
export class CallAssembler {
  readonly #calls: OpenCall[] = [];

  add(delta: CallDelta): void {
    const call = this.#find(delta) ?? this.#open(delta);
    call.id ??= delta.id;
    if (delta.name !== undefined) mergeName(call, delta.name);
    call.arguments += delta.arguments ?? '';
    call.extra ??= delta.extra;
  }

  /** The calls as far as they have come, each with an id of its own. `newId` names those that came without. */
  finish(newId: (position: number) => string): ToolCall[] {
    const used = new Set<string>();
    return this.#calls
      .filter((call) => call.name.trim() !== '' || call.arguments.trim() !== '')
      .map((call, position) => {
        const id = call.id !== undefined && !used.has(call.id) ? call.id : newId(position);
        used.add(id);
        // Some models put white space around it; every guard compares the name.
        const extra = call.extra === undefined ? {} : { extra: call.extra };
        return { id, name: call.name.trim(), arguments: call.arguments, ...extra };
      });
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  #open(delta: CallDelta): OpenCall {
    const call: OpenCall = { index: delta.index, id: undefined, name: '', arguments: '', extra: undefined };
    this.#calls.push(call);
    return call;
  }

  /** The call that a piece goes on with; undefined: it begins a new one. */
  #find(delta: CallDelta): OpenCall | undefined {
    if (delta.id !== undefined) {
      const known = this.#calls.find((call) => call.id === delta.id && sameIndex(call, delta));
      if (known !== undefined) return known;
    }
    const latest = this.#calls.findLast((call) => sameIndex(call, delta));
    if (latest === undefined) return undefined;
    return beginsAnother(latest, delta) ? undefined : latest;
  }
}

function sameIndex(call: OpenCall, delta: CallDelta): boolean {
  return delta.index === undefined || call.index === undefined || call.index === delta.index;
}

function beginsAnother(latest: OpenCall, delta: CallDelta): boolean {
  const hasNewId = delta.id !== undefined && latest.id !== undefined && delta.id !== latest.id;
  // Without numbers a new id is the only sign that a new call begins.
  if (delta.index === undefined && hasNewId) return true;
  if (delta.name === undefined || latest.name === '') return false;
  const argumentsDone = latest.arguments !== '' && parseArguments(latest.arguments).ok;
  if (hasNewId) return argumentsDone || latest.arguments === '';
  // Neither number nor id: a name behind finished arguments.
  return delta.index === undefined && delta.id === undefined && argumentsDone;
}

/** Names come whole, whole again, growing, or in fragments; once arguments have begun the name is complete. */
function mergeName(call: OpenCall, piece: string): void {
  if (call.name === '') call.name = piece;
  else if (piece === call.name || call.arguments !== '') return;
  else if (piece.startsWith(call.name)) call.name = piece;
  else call.name += piece;
}
