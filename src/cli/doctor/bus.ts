import type { Overview } from '../../admin/operator.ts';
import type { MessageBus } from '../../bus/port.ts';
import { ok, type Verdict, warn } from './check.ts';
import { heldByAnother, using } from './opened.ts';

/** What the verdict on a usable bus depends on. */
interface Findings {
  readonly deadLetters: number;
  readonly paused: readonly string[];
  /** What is unwise about the server. */
  readonly warnings: readonly string[];
}

/**
 * Can the bus be used, and does something in it wait for a person? An embedded bus that a running Antler holds is
 * asked for there.
 */
export async function checkBus(
  open: () => Promise<Pick<MessageBus, 'check' | 'close' | 'stats' | 'paused'>>,
  askRunning: () => Promise<Overview>,
): Promise<Verdict> {
  const opened = await using(open, async (bus) => {
    const warnings = await bus.check();
    const [{ deadLetters }, paused] = await Promise.all([bus.stats(), bus.paused()]);
    return judged('can be used', { deadLetters, paused, warnings });
  });
  if (opened.ok) return opened.value;
  try {
    const { bus, channels } = await askRunning();
    const paused = channels.filter((channel) => channel.paused).map(({ name }) => name);
    return judged('in use by the running Antler', { deadLetters: bus.dead_letters, paused, warnings: [] });
  } catch {
    return heldByAnother(opened.conflict);
  }
}

function judged(well: string, { deadLetters, paused, warnings }: Findings): Verdict {
  const notes = [
    ...warnings,
    ...(deadLetters === 0 ? [] : [`${deadLetters} could not be answered or delivered: see "antler dead-letters"`]),
    ...paused.map((name) => `channel ${name} is paused: "antler channels resume ${name}" lets it go on`),
  ];
  return notes.length === 0 ? ok(well) : warn([well, ...notes].join('; '));
}
