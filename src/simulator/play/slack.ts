import { type Channel, type Message, shownText, signature, startSlack, type User } from '../slack/index.ts';
import { found } from './found.ts';
import { readMarkdown } from './markdown.ts';
import type { Look, PlayChat, Playground, PlayMessage } from './port.ts';
import { withQuoted } from './quoted.ts';
import { Reading } from './reading.ts';

export interface SlackPlay {
  readonly transport?: 'socket' | 'http';
  /** Enforces Slack's published rates. Default: false. */
  readonly rates?: boolean;
}

/** How long the shown status of an assistant counts as typing, in milliseconds. */
const STATUS_MS = 5_000;

/** A Slack workspace with Ann, Bo and a bot in it. */
export async function playSlack({ transport = 'socket', rates = false }: SlackPlay = {}): Promise<Playground> {
  const slack = await startSlack({ rates, limits: { retryDelaysMs: [20, 20, 20] } });
  const app = slack.addApp({ name: 'antler', commands: ['/antler'] });
  const users = {
    ann: slack.addUser({ name: 'ann', displayName: 'Ann Lee' }),
    bo: slack.addUser({ name: 'bo', displayName: '小波', locale: 'zh-CN' }),
  };
  const channels = {
    ann: slack.openDm(users.ann, app),
    bo: slack.openDm(users.bo, app),
    group: slack.addChannel({ name: 'team', members: [users.ann, users.bo, app.user] }),
  };
  const files = new Map<string, Uint8Array>();
  const player = (user: User, language: 'en' | 'zh') => ({ id: user.id, name: user.displayName, language });
  const annAlone: PlayChat = { id: channels.ann.id, kind: 'dm', title: 'antler' };
  const boAlone: PlayChat = { id: channels.bo.id, kind: 'dm', title: 'antler' };
  const group: PlayChat = { id: channels.group.id, kind: 'group', title: '#team' };
  const channelOf = ({ id }: PlayChat): Channel => found(slack.channels.find((channel) => channel.id === id));
  const messageOf = (chat: PlayChat, id: string): Message =>
    found(slack.visible(channelOf(chat)).find(({ ts }) => ts === id));
  const userOf = ({ id }: { readonly id: string }): User => found(slack.users.find((user) => user.id === id));

  return {
    type: 'slack',
    title: 'Slack',
    settings: {
      bot_token: app.botToken,
      app_token: app.appToken,
      signing_secret: app.signingSecret,
      api_root: slack.url,
      transport,
    },
    botName: '@antler',
    ...{ ann: player(users.ann, 'en'), bo: player(users.bo, 'zh'), annAlone, boAlone, group },
    say: async (who, chat, { text, toBot, quoting, file }) => {
      const user = userOf(who);
      const quoted = quoting === undefined ? undefined : messageOf(chat, quoting);
      const written = toBot === true && chat.kind === 'group' ? `@${app.user.name} ${text}` : text;
      const message = slack.people.say(user, channelOf(chat), written, {
        ...(quoted === undefined ? {} : { extra: { attachments: [shared(quoted, chat)] } }),
        ...(file === undefined
          ? {}
          : { files: [slack.addFile({ name: file.name, mimetype: file.mime, bytes: file.content, by: user })] }),
      });
      return message.ts;
    },
    edit: async (_, chat, id, text) => slack.people.edit(messageOf(chat, id), text),
    recall: async (_, chat, id) => slack.people.delete(messageOf(chat, id)),
    press: async (who, chat, id, label) => void (await slack.people.press(userOf(who), messageOf(chat, id), label)),
    shown: (chat) => {
      const messages = slack.visible(channelOf(chat));
      for (const { id, bytes } of messages.flatMap((message) => message.files)) files.set(id, bytes);
      return withQuoted(
        messages.map((message) => playMessage(message, slack.users)),
        messages.map(quotedBy),
      );
    },
    content: ({ id }) => found(files.get(id)),
    subscribe: (listener) =>
      slack.events.subscribe((event) => {
        const chat = [annAlone, boAlone, group].find(({ id }) => id === event.channel.id);
        if (chat === undefined) return;
        if (event.type !== 'status') listener({ type: 'chat', chat });
        else listener({ type: 'typing', chat, forMs: event.status === '' ? 0 : STATUS_MS });
      }),
    redeliver: async () => void (await app.link.redeliver()),
    ...(transport === 'http'
      ? {
          connect: async (url) => {
            if (!(await slack.setRequestUrl(app, url))) throw new Error('the webhook did not answer the challenge');
          },
          forgeries: async (url) => forgeriesOf(url, app.signingSecret, users.ann.id, channels.ann.id),
        }
      : {}),
    stop: () => slack.stop(),
  };
}

/** How a shared message hangs below the one that shares it. */
const shared = (message: Message, chat: PlayChat): object => ({
  is_msg_unfurl: true,
  is_share: true,
  ts: message.ts,
  channel_id: chat.id,
  author_id: message.user.id,
  author_name: message.user.displayName,
  text: shownText(message),
  ...(message.app === undefined ? {} : { bot_id: message.app.botId }),
});

/** What a message shares, or whose thread it is said in. */
function quotedBy({ ts, threadTs, extra }: Message): string | undefined {
  const [attachment] = (extra?.attachments ?? []) as readonly { readonly is_share?: boolean; readonly ts?: string }[];
  if (attachment?.is_share === true) return attachment.ts;
  return threadTs === ts ? undefined : threadTs;
}

function playMessage(message: Message, users: readonly User[]): PlayMessage {
  const { user, blocks, history, files } = message;
  return {
    id: message.ts,
    by: { id: user.id, name: user.displayName, isBot: user.isBot },
    at: Number(message.ts) * 1_000,
    ...read(message, users),
    buttons: blocks
      .filter(({ type }) => type === 'actions')
      .flatMap(({ elements }) => elements as { readonly text: { readonly text: string } }[])
      .map(({ text }) => text.text),
    files: files.map(({ id, name, mimetype }) => ({ id, name, isImage: mimetype.startsWith('image/') })),
    edits: history.length - 1,
  };
}

/** As Slack's apps show it: Markdown in its blocks, its own form elsewhere; mentions are read as names. */
function read(message: Message, users: readonly User[]): { readonly text: string; readonly looks: readonly Look[] } {
  const out = new Reading();
  const words = (raw: string): void => withNames(raw, users, out);
  const markdown = message.blocks.filter(({ type }) => type === 'markdown').map(({ text }) => String(text));
  if (markdown.length === 0) words(shownText(message));
  else readMarkdown(markdown.join('\n'), out, { words });
  return { text: out.text, looks: out.looks };
}

function withNames(raw: string, users: readonly User[], out: Reading): void {
  let from = 0;
  for (const { 0: token, 1: id = '', index } of raw.matchAll(/<@(\w+)>/g)) {
    out.add(raw.slice(from, index));
    out.look('mention', () => out.add(`@${users.find((user) => user.id === id)?.displayName ?? id}`), { user: id });
    from = index + token.length;
  }
  out.add(raw.slice(from));
}

function forgeriesOf(url: string, secret: string, user: string, channel: string): Request[] {
  const ts = String(Math.floor(Date.now() / 1_000));
  const body = JSON.stringify({
    type: 'event_callback',
    team_id: 'T1',
    event_id: 'Ev_forged',
    event: { type: 'message', channel, channel_type: 'im', user, ts: `${ts}.000001`, text: 'forged' },
  });
  const post = (text: string, timestamp?: string, signed?: string): Request =>
    new Request(url, {
      method: 'POST',
      body: text,
      headers: {
        'content-type': 'application/json',
        ...(timestamp === undefined ? {} : { 'x-slack-request-timestamp': timestamp }),
        ...(signed === undefined ? {} : { 'x-slack-signature': signed }),
      },
    });
  const longAgo = String(Number(ts) - 3_600);
  return [
    post(body),
    post(body, ts, 'v0='),
    post(body, ts, signature('another secret', ts, body)),
    post(body.slice(0, -5), ts, signature(secret, ts, body)),
    post(body, longAgo, signature(secret, longAgo, body)),
    post(body, ts, signature(secret, longAgo, body)),
  ];
}
