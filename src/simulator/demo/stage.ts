import { AntlerError } from '../../base/errors.ts';
import { found } from '../play/found.ts';
import type { PlayChat, Player, Playground } from '../play/port.ts';

export type SeatKey = 'ann' | 'group' | 'bo';
export type PlayerKey = 'ann' | 'bo';

/** A chat of a platform, and who of the people is in it. */
export interface Seat {
  readonly key: SeatKey;
  readonly chat: PlayChat;
  readonly players: readonly PlayerKey[];
}

/** The chats of a platform in the order in which the page shows them. */
export function seatsOf({ annAlone, boAlone, group }: Playground): readonly Seat[] {
  const together: readonly Seat[] = group === undefined ? [] : [{ key: 'group', chat: group, players: ['ann', 'bo'] }];
  return [{ key: 'ann', chat: annAlone, players: ['ann'] }, ...together, { key: 'bo', chat: boAlone, players: ['bo'] }];
}

/** The platform with this key, which is its type. @throws AntlerError `not_found` */
export const playOf = (plays: readonly Playground[], key: string): Playground =>
  found(plays.find(({ type }) => type === key));

/** Who speaks, and where. @throws AntlerError `not_found` when there is no such chat, `forbidden` when they are not in it */
export function placeOf(
  play: Playground,
  key: SeatKey,
  by: PlayerKey,
): { readonly chat: PlayChat; readonly player: Player } {
  const { chat, players } = found(seatsOf(play).find((seat) => seat.key === key));
  if (!players.includes(by)) throw new AntlerError('forbidden', 'That person is not in this chat.');
  return { chat, player: play[by] };
}
