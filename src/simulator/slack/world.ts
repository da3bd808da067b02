import { Signal } from '../kit/signal.ts';
import type { Link } from './delivery/link.ts';
import type { ChannelEvent } from './events.ts';
import type { SlackLimits } from './limits.ts';
import type { App, Block, Channel, Message, StoredFile, User, UserGroup } from './model.ts';
import { messageToWire, type Wire } from './wire.ts';

/** A message to be; what is left out has its usual value. */
export type NewMessage = Pick<Message, 'channel' | 'user' | 'text'> &
  Partial<
    Pick<Message, 'app' | 'blocks' | 'attachments' | 'files' | 'threadTs' | 'subtype' | 'extra' | 'metadata' | 'stream'>
  >;

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
}

export interface Upload {
  readonly name: string;
  readonly length: number;
  readonly app: App;
  bytes: Uint8Array | undefined;
}

/** Everything there is in the workspace, and what happens when something is said in it. */
export class World {
  readonly team: Team = { id: 'T0ANTLER1', name: 'Antler Works', domain: 'antler-works' };
  readonly users: User[] = [];
  readonly apps: App[] = [];
  readonly channels: Channel[] = [];
  readonly files: StoredFile[] = [];
  readonly groups: UserGroup[] = [];
  readonly events = new Signal<ChannelEvent>();
  readonly links = new Map<App, Link>();
  /** Files that are being uploaded. */
  readonly uploads = new Map<string, Upload>();
  readonly limits: SlackLimits;
  readonly now: () => number;
  /** Where files can be fetched; known once the server listens. */
  root = '';
  #lastTs = 0;
  #ids = 0;

  constructor(limits: SlackLimits, now: () => number) {
    this.limits = limits;
    this.now = now;
  }

  /** Numbers as Slack's ids have them, e.g. `U00000001`. */
  newId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}0${String(this.#ids).padStart(8, '0')}`;
  }

  /** Seconds with six decimals; no two are the same. They are names, not numbers. */
  newTs(): string {
    this.#lastTs = Math.max(Math.round(this.now() * 1_000), this.#lastTs + 1);
    const micros = String(this.#lastTs);
    return `${micros.slice(0, -6)}.${micros.slice(-6)}`;
  }

  userById(id: string): User | undefined {
    return this.users.find((user) => user.id === id);
  }

  channelById(id: string): Channel | undefined {
    return this.channels.find((channel) => channel.id === id);
  }

  post(message: NewMessage): Message {
    const posted: Message = {
      blocks: [],
      attachments: [],
      files: [],
      ...message,
      ts: this.newTs(),
      history: [{ at: this.now(), text: message.text }],
      reactions: new Map(),
    };
    message.channel.messages.push(posted);
    this.events.emit({ type: 'message', channel: posted.channel, message: posted });
    const event = { ...this.messageEvent(posted), event_ts: posted.ts };
    this.#tell(posted.channel, event);
    for (const app of this.apps)
      if (posted.text.includes(`<@${app.user.id}`) && posted.app !== app) this.#mention(app, posted);
    return posted;
  }

  /** Changes what a message says, and tells so. `edited`: by a person or bot, not by Slack itself. */
  change(
    message: Message,
    change: {
      readonly text?: string;
      readonly blocks?: readonly Block[];
      readonly attachments?: Message['attachments'];
    },
    how: { readonly edited: boolean },
  ): void {
    const before = messageToWire(message, this.team.id, this.root);
    if (change.text !== undefined) message.text = change.text;
    if (change.blocks !== undefined) message.blocks = change.blocks;
    if (change.attachments !== undefined) message.attachments = change.attachments;
    if (how.edited) message.editedTs = this.newTs();
    message.history.push({ at: this.now(), text: message.text });
    this.events.emit({ type: 'edit', channel: message.channel, message });
    const after = messageToWire(message, this.team.id, this.root);
    this.#hidden(message, { subtype: 'message_changed', message: after, previous_message: before });
  }

  remove(message: Message): void {
    const before = messageToWire(message, this.team.id, this.root);
    message.deletedAt = this.now();
    this.events.emit({ type: 'delete', channel: message.channel, message });
    this.#hidden(message, { subtype: 'message_deleted', deleted_ts: message.ts, previous_message: before });
  }

  react(message: Message, user: User, emoji: string, change: 'added' | 'removed'): void {
    const users = message.reactions.get(emoji) ?? new Set<string>();
    message.reactions.set(emoji, users);
    if (change === 'added') users.add(user.id);
    else users.delete(user.id);
    this.events.emit({ type: 'reaction', channel: message.channel, message });
    this.#tell(message.channel, {
      type: `reaction_${change}`,
      user: user.id,
      reaction: emoji,
      item_user: message.user.id,
      item: { type: 'message', channel: message.channel.id, ts: message.ts },
      event_ts: this.newTs(),
    });
  }

  /** Somebody comes or goes. */
  membership(channel: Channel, user: User, change: 'joined' | 'left', by?: User): void {
    const event = {
      type: `member_${change}_channel`,
      user: user.id,
      channel: channel.id,
      channel_type: channel.kind === 'group' ? 'G' : 'C',
      team: this.team.id,
      ...(by === undefined || by === user ? {} : { inviter: by.id }),
      event_ts: this.newTs(),
    };
    if (change === 'joined') channel.members.add(user.id);
    this.#tell(channel, event);
    if (change === 'left') channel.members.delete(user.id);
    this.events.emit({ type: 'members', channel });
  }

  /** Shared with another organisation, a private channel gets another id, and nothing is known of the old one. */
  shareOutside(channel: Channel): void {
    const old = channel.id;
    channel.id = this.newId('C');
    const change = { old_channel_id: old, new_channel_id: channel.id };
    this.#tell(channel, { type: 'channel_id_changed', ...change, event_ts: this.newTs() });
  }

  /** Gives an app an event as it is. */
  sendEvent(app: App, event: Wire, envelope: Wire = {}): void {
    void this.links.get(app)?.deliver({ kind: 'events_api', body: { ...this.eventBody(app, event), ...envelope } });
  }

  messageEvent(message: Message): Wire {
    const wire = messageToWire(message, this.team.id, this.root);
    const subtype = message.subtype ?? (message.files.length > 0 ? 'file_share' : undefined);
    return {
      ...wire,
      ...(subtype === undefined ? {} : { subtype }),
      channel: message.channel.id,
      channel_type: message.channel.kind,
    };
  }

  eventBody(app: App, event: Wire): Wire {
    return {
      token: 'verification-token',
      team_id: this.team.id,
      context_team_id: this.team.id,
      context_enterprise_id: null,
      api_app_id: app.id,
      event,
      type: 'event_callback',
      event_id: this.newId('Ev'),
      event_time: Math.floor(this.now() / 1_000),
      authorizations: [
        {
          enterprise_id: null,
          team_id: this.team.id,
          user_id: app.user.id,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      is_ext_shared_channel: false,
      event_context: 'context',
    };
  }

  /** The second event of the same message; unlike the first it names neither the kind of its channel nor its files. */
  #mention(app: App, message: Message): void {
    if (!message.channel.members.has(app.user.id) || message.channel.kind === 'im') return;
    const { channel_type: _, subtype: __, files: ___, upload: ____, ...event } = this.messageEvent(message);
    this.sendEvent(app, { ...event, type: 'app_mention', event_ts: message.ts });
  }

  #hidden(message: Message, change: Wire): void {
    this.#tell(message.channel, {
      type: 'message',
      ...change,
      channel: message.channel.id,
      channel_type: message.channel.kind,
      hidden: true,
      ts: this.newTs(),
      event_ts: this.newTs(),
    });
  }

  /** To every app whose bot is in the channel, the author's own included. */
  #tell(channel: Channel, event: Wire): void {
    for (const app of this.apps) if (channel.members.has(app.user.id)) this.sendEvent(app, event);
  }
}
