import type { App, Channel, User } from './model.ts';
import type { World } from './world.ts';

interface ResponseUrl {
  readonly app: App;
  readonly channel: Channel;
  readonly user: User;
  readonly until: number;
  left: number;
}

/** A response address works for half an hour and five times. https://docs.slack.dev/interactivity/handling-user-interaction */
const LIFE_MS = 1_800_000;
const USES = 5;

/** The addresses at which apps may answer a command or a press, even where their bot is no member. */
export class Responses {
  readonly #world: World;
  readonly #urls = new Map<string, ResponseUrl>();

  constructor(world: World) {
    this.#world = world;
  }

  newUrl(app: App, channel: Channel, user: User): string {
    const id = crypto.randomUUID();
    this.#urls.set(id, { app, channel, user, until: this.#world.now() + LIFE_MS, left: USES });
    return `${this.#world.root}/response/${id}`;
  }

  /** What Slack answers: `ok`, or why not. Markdown is not known here: https://github.com/vercel/chat/pull/440 */
  respond(id: string, body: Readonly<Record<string, unknown>>): string {
    const url = this.#urls.get(id);
    if (url === undefined || url.until < this.#world.now()) return 'expired_url';
    if (url.left === 0) return 'used_url';
    const text = typeof body.text === 'string' ? body.text : '';
    if (text === '') return 'no_text';
    url.left -= 1;
    const { app, channel, user } = url;
    if (body.response_type === 'in_channel') this.#world.post({ channel, user: app.user, app, text });
    else this.#world.events.emit({ type: 'ephemeral', channel, to: user.id, text });
    return 'ok';
  }
}
