import { type Patience, TROUBLES_MAX } from '../limits.ts';
import type { News } from '../process/protocol.ts';

/**
 * Decides from what a bot says, and from its silence, that it is of no use any more. A bot that cannot reach WeChat does
 * not end by itself: it goes on for ever, in silence or with an error a second.
 */
export class Watch {
  readonly #patience: Patience;
  readonly #giveUp: (why: string) => void;
  #silence: NodeJS.Timeout | undefined;
  #login: NodeJS.Timeout | undefined;
  #troubles: number[] = [];

  constructor(patience: Patience, giveUp: (why: string) => void) {
    this.#patience = patience;
    this.#giveUp = giveUp;
    this.#expectSign(patience.startMs, 'it did not start in time');
  }

  hear(news: News): void {
    switch (news.kind) {
      case 'started':
      case 'logout':
        this.#expectLogin();
        this.#expectLife();
        break;
      case 'scan':
      case 'login':
        clearTimeout(this.#login);
        this.#progress();
        break;
      case 'trouble':
        this.#stumble(news.fault.message);
        break;
      case 'message':
      case 'membership':
      case 'done':
        this.#progress();
        break;
      case 'alive':
        this.#expectLife();
        break;
      default: // says nothing about WeChat
    }
  }

  stop(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#login);
  }

  #progress(): void {
    this.#troubles = [];
    this.#expectLife();
  }

  #stumble(over: string): void {
    const now = performance.now();
    this.#troubles = [...this.#troubles.filter((at) => now - at < this.#patience.troubleMs), now];
    if (this.#troubles.length >= TROUBLES_MAX) this.#giveUp(`it reports error after error, the last one: ${over}`);
  }

  #expectLife(): void {
    this.#expectSign(this.#patience.silenceMs, 'it gives no sign of life');
  }

  #expectSign(ms: number, otherwise: string): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(this.#giveUp, ms, otherwise);
  }

  #expectLogin(): void {
    clearTimeout(this.#login);
    this.#login = setTimeout(this.#giveUp, this.#patience.loginMs, 'it shows neither a QR code nor a login');
  }
}
