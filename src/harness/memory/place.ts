import type { RunContext } from '../port.ts';
import type { MemoryPlace } from './port.ts';

/** Whose memory a run may use; null: nobody's, since it is not known who speaks. */
export const memoryPlace = ({ person, channel, chat, chatKind }: RunContext): MemoryPlace | null =>
  person === undefined ? null : { person, channel, chat, chatKind };
