import { asAntlerError } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { ConnectionStatus } from '../../src/channel/port.ts';
import type { SlackApi } from './api.ts';
import { LOOKUP_TIMEOUT_MS } from './limits.ts';

const UNINSTALLED =
  'The app was uninstalled from the workspace or its token was revoked; install it again and put in the new token.';

export interface InstallationOptions {
  readonly api: SlackApi;
  readonly log: Logger;
  readonly report: (status: ConnectionStatus) => void;
}

/**
 * Whether the bot's token still counts. Socket Mode goes on without it, as another token opens its connections, so that
 * a connection alone does not mean that anything works.
 */
export class Installation {
  readonly #options: InstallationOptions;
  #isRevoked = false;

  constructor(options: InstallationOptions) {
    this.#options = options;
  }

  /** Slack says that something was uninstalled or revoked: it may be another workspace's, or a person's token. */
  async doubt(): Promise<void> {
    const { api, log, report } = this.#options;
    const error = await api.call('auth.test', {}, { idempotent: true, timeoutMs: LOOKUP_TIMEOUT_MS }).then(
      () => undefined,
      (thrown: unknown) => asAntlerError(thrown),
    );
    const wasRevoked = this.#isRevoked;
    if (error === undefined) this.#isRevoked = false;
    else if (error.code === 'unauthorized') this.#isRevoked = true;
    if (this.#isRevoked === wasRevoked) return;
    if (this.#isRevoked) log.error({}, UNINSTALLED);
    report(this.#isRevoked ? { state: 'failing', problem: UNINSTALLED } : { state: 'connected' });
  }

  /** Something was heard, which may mean that the app was installed again. */
  async trust(): Promise<void> {
    if (this.#isRevoked) await this.doubt();
  }

  /** Reports what the connection does, unless it is of no use without the token. */
  readonly report = (status: ConnectionStatus): void => {
    const { report } = this.#options;
    const isInVain = this.#isRevoked && (status.state === 'connecting' || status.state === 'connected');
    report(isInVain ? { state: 'failing', problem: UNINSTALLED } : status);
  };
}
