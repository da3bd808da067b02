import type { Wechaty } from 'wechaty';
import type { MembershipFacts, MessageFacts, Person } from '../normalize/facts.ts';
import { within } from './within.ts';

type Puppet = Wechaty['puppet'];
type Payload = Awaited<ReturnType<Puppet['messagePayload']>>;

/** A puppet that does not answer in this time is not waited for: a message without names is better than none. */
const LOOKUP_MS = 4_000;
/** More mentions than this are not looked up. */
const MENTIONS_MAX = 20;

/** wechaty's numbers of the kinds whose content is behind another call. */
const kind = { contact: 3, location: 8, miniProgram: 9, url: 14 } as const;

/** Finds out what has to be known to read a message; what cannot be looked up is left out. */
export async function factsOf(puppet: Puppet, payload: Payload): Promise<MessageFacts> {
  const { roomId, talkerId } = payload;
  const [account, talker, room, card] = await Promise.all([
    personOf(puppet, puppet.currentUserId),
    within(LOOKUP_MS, puppet.contactPayload(talkerId)),
    roomId ? roomOf(puppet, roomId, payload) : undefined,
    within(LOOKUP_MS, cardOf(puppet, payload)),
  ]);
  return {
    account,
    message: {
      ...{ id: payload.id, type: payload.type, talkerId, timestamp: payload.timestamp },
      ...{ roomId, text: payload.text ?? '', filename: payload.filename },
      mentionIdList: mentionsOf(payload),
    },
    talker: { name: talker?.name, type: talker?.type },
    room,
    card,
  };
}

async function roomOf(puppet: Puppet, roomId: string, payload: Payload): Promise<MessageFacts['room']> {
  const me = puppet.currentUserId;
  const [room, own, talker, account] = await Promise.all([
    within(LOOKUP_MS, puppet.roomPayload(roomId)),
    within(LOOKUP_MS, puppet.roomMemberPayload(roomId, me)),
    within(LOOKUP_MS, puppet.roomMemberPayload(roomId, payload.talkerId)),
    personOf(puppet, me),
  ]);
  const names = [own?.roomAlias, account.name].filter((name) => name !== undefined && name !== '');
  const called = names.find((name) => payload.text?.includes(`@${name}`));
  const mentions = mentionsOf(payload);
  return {
    ...{ topic: room?.topic, ownAlias: own?.roomAlias, talkerAlias: talker?.roomAlias },
    // Without ids it is the name alone that tells who is meant.
    namesakes:
      called === undefined || mentions.length > 0
        ? undefined
        : (await within(LOOKUP_MS, puppet.roomMemberSearch(roomId, called)))?.length,
    mentioned: await Promise.all(mentions.slice(0, MENTIONS_MAX).map((id) => memberOf(puppet, roomId, id))),
  };
}

async function cardOf(puppet: Puppet, { id, type }: Payload): Promise<MessageFacts['card']> {
  switch (type as number) {
    case kind.url:
      return puppet.messageUrl(id);
    case kind.miniProgram:
      return { title: (await puppet.messageMiniProgram(id)).title };
    case kind.location: {
      const { name, ...rest } = await puppet.messageLocation(id);
      return { ...rest, title: name };
    }
    case kind.contact:
      return { title: (await personOf(puppet, await puppet.messageContact(id))).name };
    default:
      return undefined;
  }
}

/** Who came or went. */
export async function membershipOf(
  puppet: Puppet,
  kind: MembershipFacts['kind'],
  event: {
    readonly roomId: string;
    readonly people: readonly string[];
    readonly by: string;
    readonly timestamp: number;
  },
): Promise<MembershipFacts> {
  const { roomId, timestamp } = event;
  const [account, room, by, ...people] = await Promise.all([
    personOf(puppet, puppet.currentUserId),
    within(LOOKUP_MS, puppet.roomPayload(roomId)),
    memberOf(puppet, roomId, event.by),
    ...event.people.map((id) => memberOf(puppet, roomId, id)),
  ]);
  return { account, kind, roomId, topic: room?.topic, timestamp, people, by };
}

/** Who somebody is; by the id alone when that is all there is. */
export async function personOf(puppet: Puppet, id: string): Promise<Person> {
  return { id, name: (await within(LOOKUP_MS, puppet.contactPayload(id)))?.name ?? '' };
}

async function memberOf(puppet: Puppet, roomId: string, id: string): Promise<Person> {
  const member = await within(LOOKUP_MS, puppet.roomMemberPayload(roomId, id));
  const name = member?.roomAlias || member?.name;
  return name ? { id, name } : personOf(puppet, id);
}

const mentionsOf = (payload: Payload): string[] => ('mentionIdList' in payload ? (payload.mentionIdList ?? []) : []);
