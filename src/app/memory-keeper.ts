import { readFile } from 'node:fs/promises';
import { systemClock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { type ImUserKey, type PersonId, personSubject } from '../base/ids.ts';
import { type MemoryKeeper, type MemoryOptions, runMemory } from '../cli/memory.ts';
import type { Config } from '../config/schema/config.ts';
import { exported, imported } from '../memory/seed.ts';
import type { Store } from '../store/port.ts';
import { memoryOf } from './memory.ts';
import { openDatabase } from './rooms.ts';
import type { Surroundings } from './surroundings.ts';

/** Who does what is done at this terminal, in the audit. */
const BY = 'cli';

/** `antler memory …`: in the database itself, whether Antler runs or not. */
export async function memory(
  config: Config,
  asked: Pick<MemoryOptions, 'command' | 'operand' | 'person' | 'json'>,
  { log, print }: Surroundings,
): Promise<void> {
  const store = await openDatabase(config, log);
  try {
    await runMemory({ ...asked, keeper: memoryKeeper(config, store), print });
  } finally {
    await store.close();
  }
}

function memoryKeeper(config: Config, store: Store): MemoryKeeper {
  const clock = systemClock;
  const kept = memoryOf({ config, store, clock });

  async function personOf(key: string): Promise<PersonId> {
    const user = await store.imUsers.get(key as ImUserKey);
    if (user === null)
      throw new AntlerError('not_found', `Nobody called ${key} ever wrote to the bot. "antler people" lists the keys.`);
    return user.person;
  }

  return {
    async export(key) {
      const subject = personSubject(await personOf(key));
      const file = exported(await kept.desk.read(subject), clock.now());
      await store.audit.add({ at: clock.now(), actor: BY, action: 'memory.export', subject, details: {} });
      return file;
    },

    async import(key, file) {
      const subject = personSubject(await personOf(key));
      const text = await readFile(file, 'utf8').catch((cause: unknown) => {
        throw new AntlerError('bad_input', `The file ${file} cannot be read.`, { cause });
      });
      const { facts, summaries, skipped } = imported(text, subject, clock.now());
      return { added: await kept.desk.add(subject, facts, summaries, BY), skipped };
    },

    erase: async (key) => kept.erase(await personOf(key), BY),
  };
}
