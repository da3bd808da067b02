import type { Attempt } from './delivery/link.ts';
import type { App, Channel, Message, StoredFile, User, UserGroup } from './model.ts';
import { rootTs } from './model.ts';
import type { Responses } from './responses.ts';
import { typed } from './typed.ts';
import { messageToWire, type Wire } from './wire.ts';
import type { World } from './world.ts';

export interface SayOptions {
  /** The message whose thread it is said in. */
  readonly thread?: Message;
  /** Shown in the channel too. */
  readonly broadcast?: boolean;
  readonly files?: readonly StoredFile[];
  /** `false`: `text` is in Slack's own form already. */
  readonly typed?: boolean;
  /** Further fields of the message, as Slack has them, e.g. `attachments` or `subtype`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What people do in Slack: talk, press, command, come and go. */
export class People {
  readonly #world: World;
  readonly #responses: Responses;

  constructor(world: World, responses: Responses) {
    this.#world = world;
    this.#responses = responses;
  }

  /** Says something; `@name`s, addresses and code are recognised as Slack does. */
  say(user: User, channel: Channel, text: string, options: SayOptions = {}): Message {
    const { thread, broadcast, files, extra } = options;
    const content = options.typed === false ? { text, blocks: [] } : typed(text, this.#world.users);
    return this.#world.post({
      channel,
      user,
      ...content,
      ...(thread === undefined ? {} : { threadTs: rootTs(thread) }),
      ...(broadcast === true ? { subtype: 'thread_broadcast' } : {}),
      ...(files === undefined ? {} : { files }),
      ...(extra === undefined ? {} : { extra }),
    });
  }

  edit(message: Message, text: string): void {
    this.#world.change(message, typed(text, this.#world.users), { edited: true });
  }

  /** Slack finds a preview for a link: the message changes although nobody changed it. */
  unfurl(message: Message, title: string): void {
    const attachments = [{ from_url: 'https://example.com', title, fallback: title, id: 1 }];
    this.#world.change(message, { attachments }, { edited: false });
  }

  delete(message: Message): void {
    this.#world.remove(message);
  }

  react(user: User, message: Message, emoji: string): void {
    this.#world.react(message, user, emoji, 'added');
  }

  unreact(user: User, message: Message, emoji: string): void {
    this.#world.react(message, user, emoji, 'removed');
  }

  join(user: User, channel: Channel, by?: User): void {
    this.#world.membership(channel, user, 'joined', by);
  }

  leave(user: User, channel: Channel): void {
    this.#world.membership(channel, user, 'left');
  }

  /** Says who is in a group of users from now on. */
  regroup(group: UserGroup, users: readonly User[]): void {
    group.members.clear();
    for (const { id } of users) group.members.add(id);
    for (const app of this.#world.apps) {
      this.#world.sendEvent(app, {
        type: 'subteam_members_changed',
        subteam_id: group.id,
        team_id: this.#world.team.id,
      });
    }
  }

  /** Shares a private channel with another organisation, which changes its id. */
  shareOutside(channel: Channel): void {
    this.#world.shareOutside(channel);
  }

  /** Presses the button with this label; resolves with what became of telling the app. */
  press(user: User, message: Message, label: string): Promise<Attempt> {
    const element = message.blocks
      .filter(({ type }) => type === 'actions')
      .flatMap(({ elements }) => elements as Record<string, unknown>[])
      .find(({ text }) => (text as { text?: unknown } | undefined)?.text === label);
    if (element === undefined || message.app === undefined)
      throw new Error(`There is no button “${label}” on this message`);
    return this.interact(message.app, user, message.channel, {
      type: 'block_actions',
      container: {
        type: 'message',
        message_ts: message.ts,
        channel_id: message.channel.id,
        is_ephemeral: false,
        ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
      },
      message: messageToWire(message, this.#world.team.id, this.#world.root),
      actions: [{ ...element, block_id: 'b2', action_ts: this.#world.newTs() }],
    });
  }

  /** Chooses a shortcut from a message's menu. */
  shortcut(app: App, user: User, message: Message): Promise<Attempt> {
    return this.interact(app, user, message.channel, {
      type: 'message_action',
      callback_id: 'antler_ask',
      message_ts: message.ts,
      action_ts: this.#world.newTs(),
      message: messageToWire(message, this.#world.team.id, this.#world.root),
    });
  }

  /** Passes a message on, with words of their own or without. */
  share(user: User, message: Message, channel: Channel, text = ''): Message {
    const { blocks, files, ...wire } = messageToWire(message, this.#world.team.id, this.#world.root);
    const attachment = {
      ...{ ts: message.ts, channel_id: message.channel.id, channel_team: this.#world.team.id },
      ...{ is_msg_unfurl: true, is_share: true, author_id: message.user.id, author_name: message.user.displayName },
      ...{ fallback: `[${message.ts}] ${message.user.name}: ${message.text}`, text: wire.text },
      ...(blocks === undefined ? {} : { message_blocks: [{ message: { blocks }, ts: message.ts }] }),
      ...(files === undefined ? {} : { files }),
    };
    return this.say(user, channel, text, { extra: { attachments: [attachment] } });
  }

  /** Any other interaction, e.g. `{ type: 'view_closed' }`. */
  interact(app: App, user: User, channel: Channel, payload: Wire): Promise<Attempt> {
    const { team } = this.#world;
    return this.#told(app, 'interactive', {
      team: { id: team.id, domain: team.domain },
      user: { id: user.id, username: user.name, name: user.name, team_id: team.id },
      api_app_id: app.id,
      token: 'verification-token',
      trigger_id: this.#world.newId('trigger.'),
      channel: { id: channel.id, name: channel.kind === 'im' ? 'directmessage' : channel.name },
      response_url: this.#responses.newUrl(app, channel, user),
      ...payload,
    });
  }

  /** Types a slash command, e.g. `/antler new`. */
  command(app: App, user: User, channel: Channel, line: string): Promise<Attempt> {
    const [command = '', ...words] = line.split(' ');
    if (!app.commands.has(command)) throw new Error(`${app.name} has no command ${command}`);
    const { team } = this.#world;
    return this.#told(app, 'slash_commands', {
      token: 'verification-token',
      team_id: team.id,
      team_domain: team.domain,
      channel_id: channel.id,
      channel_name: channel.kind === 'im' ? 'directmessage' : channel.kind === 'group' ? 'privategroup' : channel.name,
      user_id: user.id,
      user_name: user.name,
      command,
      text: words.join(' '),
      api_app_id: app.id,
      is_enterprise_install: 'false',
      response_url: this.#responses.newUrl(app, channel, user),
      trigger_id: this.#world.newId('trigger.'),
    });
  }

  async #told(app: App, kind: 'interactive' | 'slash_commands', body: Wire): Promise<Attempt> {
    const attempt = await this.#world.links.get(app)?.deliver({ kind, body });
    return attempt ?? { kind: 'failed', reason: 'held', final: true };
  }
}
