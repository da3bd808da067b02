import { z } from 'zod';

/** A text that may be missing or empty, as gRPC sends what is missing. */
const word = z
  .string()
  .optional()
  .catch(undefined)
  .transform((value) => (value === '' ? undefined : value));
const words = z.array(z.string()).catch([]);
const count = z.number().optional().catch(undefined);

const personShape = z.object({ id: z.string().min(1), name: z.string().catch('') });

/** Somebody, and what they call themselves. */
export type Person = z.output<typeof personShape>;

/** What the process that runs the bot has found out about a message, before anybody has made sense of it. */
export const messageFactsShape = z.object({
  /** Whom the bot plays. */
  account: personShape,
  message: z.object({
    id: z.string().min(1),
    /** wechaty's number of the kind of message. */
    type: z.number().catch(0),
    talkerId: z.string().min(1),
    roomId: word,
    text: z.string().catch(''),
    /** Seconds or milliseconds, as the puppet likes. */
    timestamp: z.number().catch(0),
    filename: word,
    mentionIdList: words,
  }),
  talker: z.object({ name: word, type: count }),
  room: z
    .object({
      topic: word,
      /** What the bot is called in the room. */
      ownAlias: word,
      talkerAlias: word,
      /** How many members have the bot's name, where that matters. */
      namesakes: count,
      /** Whom the protocol says to be mentioned. */
      mentioned: z.array(personShape).catch([]),
    })
    .optional(),
  /** What is behind a link, mini program, location or contact card, as far as the puppet tells. */
  card: z
    .object({ title: word, url: word, address: word, latitude: count, longitude: count })
    .optional()
    .catch(undefined),
});

export type MessageFacts = z.input<typeof messageFactsShape>;
export type ReadFacts = z.output<typeof messageFactsShape>;

/** Somebody came into a room or left it. */
export const membershipFactsShape = z.object({
  account: personShape,
  kind: z.enum(['joined', 'left']),
  roomId: z.string().min(1),
  topic: word,
  timestamp: z.number().catch(0),
  people: z.array(personShape).min(1),
  by: personShape,
});

export type MembershipFacts = z.input<typeof membershipFactsShape>;
