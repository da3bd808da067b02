/** A message as WeChat's web protocol has it, and the list of them that wechat4u works through. */
interface RawMessage {
  Content?: unknown;
}
type HandleMessages = (this: object, messages: readonly RawMessage[]) => unknown;

/** A new moon with a face, by itself or as the web protocol writes it. */
const MOON = /\u{1f31a}|emoji1f31a/u;
/** Unseen, but enough for a text not to be the one that is looked for. */
const NOTHING = '\u200b';

/**
 * wechat4u logs out when anybody sends a row of certain moons (`handleMsg` in its src/wechat.js), so that everybody who
 * may write to the bot could silence it. Such a text gets an invisible character at its end and is a text like others.
 */
export function withoutBackDoor(puppet: object): void {
  const patch: unknown = Reflect.get(puppet, 'monkeyPatch');
  if (typeof patch !== 'function') return;
  // Called with every new client of the web protocol before it is started.
  Reflect.set(puppet, 'monkeyPatch', (client: object) => {
    patch.call(puppet, client);
    const handle = Reflect.get(client, 'handleMsg') as HandleMessages;
    Reflect.set(client, 'handleMsg', (messages: unknown) =>
      handle.call(client, Array.isArray(messages) ? messages.map(disarmed) : []),
    );
  });
}

const disarmed = (message: RawMessage): RawMessage =>
  typeof message?.Content === 'string' && MOON.test(message.Content)
    ? { ...message, Content: message.Content + NOTHING }
    : message;
