import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentSource } from '../port.ts';

/** Does what a document would that has taken its process over; which of it, the document says. */
process.once('message', ({ content }: DocumentSource) => {
  const wish = Buffer.from(content).toString();
  const say = (text: string): void => void process.send?.({ ok: true, converted: { text } });
  switch (wish) {
    case 'spin':
      for (;;);
    case 'heap': {
      const all: object[] = [];
      for (;;) all.push(Array.from({ length: 1_000 }, () => ({})));
    }
    case 'buffers': {
      const all: Buffer[] = [];
      setInterval(() => all.push(Buffer.alloc(20_000_000, 1)), 1);
      return;
    }
    case 'exit':
      process.exit(0);
      return;
    case 'lie':
      process.send?.({ ok: true, converted: { text: 7 } });
      return;
    case 'linger':
      setInterval(() => {}, 1_000);
      return say('done');
    case 'look':
      return say(JSON.stringify({ env: Object.keys(process.env).toSorted(), ...attempts() }));
  }
});

function attempts(): Readonly<Record<string, string>> {
  const outcome = (work: () => unknown): string => {
    try {
      work();
      return 'done';
    } catch (thrown) {
      return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'failed';
    }
  };
  return {
    passwd: outcome(() => readFileSync('/etc/passwd')),
    settings: outcome(() => readFileSync(join(import.meta.dirname, '../../../../config.example.yaml'))),
    write: outcome(() => writeFileSync(join(tmpdir(), 'antler-hostile'), 'x')),
    spawn: outcome(() => spawnSync('true')),
  };
}
