import {
  type AbortableOperationOptions,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from 'kysely';
import { guard, type Translate, translated } from '../guard.ts';

/** Kysely's PostgreSQL dialect; what it throws are our errors. */
export class GuardedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #translate: Translate;

  constructor(config: PostgresDialectConfig, translate: Translate) {
    super(config);
    this.#config = config;
    this.#translate = translate;
  }

  override createDriver(): PostgresDriver {
    return new GuardedPostgresDriver(this.#config, this.#translate);
  }
}

class GuardedPostgresDriver extends PostgresDriver {
  readonly #translate: Translate;

  constructor(config: PostgresDialectConfig, translate: Translate) {
    super(config);
    this.#translate = translate;
  }

  override async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
    const connection = await translated(() => super.acquireConnection(options), this.#translate);
    return guard(connection, this.#translate);
  }
}
