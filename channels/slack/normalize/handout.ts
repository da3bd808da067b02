import { property } from '../../../src/base/property.ts';
/** What Slack hands to an app, whichever way it comes: an event, a press of a button or the like, a slash command. */
export interface Handout {
  readonly kind: 'event' | 'interactive' | 'command';
  readonly body: unknown;
}

/** Handouts of one channel keep their order; those of no channel share one lane. */
export function laneOf({ body }: Handout): string {
  const event = property(body, 'event');
  const candidates = [
    property(event, 'channel'),
    property(event, 'new_channel_id'),
    property(property(event, 'item'), 'channel'),
    property(property(event, 'assistant_thread'), 'channel_id'),
    property(property(body, 'channel'), 'id'),
    property(property(body, 'container'), 'channel_id'),
    property(body, 'channel_id'),
  ];
  return candidates.find((candidate) => typeof candidate === 'string') ?? '';
}

/** The type of an event or an interaction, for logs. */
export function typeOf({ kind, body }: Handout): string {
  const type = kind === 'event' ? property(property(body, 'event'), 'type') : property(body, 'type');
  return typeof type === 'string' ? type.slice(0, 64) : kind;
}
