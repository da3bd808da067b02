import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import type { FileId } from '../../base/ids.ts';
import { silentLogger } from '../../base/logger.ts';
import { createHarness } from '../index.ts';
import type { LoggedFile, UserEntry } from '../log.ts';
import { FolderWorkspaces } from '../sandbox/folder/index.ts';
import { assistantWith, filesWith, runContext, runTurn, userSays } from '../testing/run.ts';
import { calls, type SeenRequest, says, startWireServer } from '../testing/wire-server.ts';
import type { ChatMessage } from '../transcript/messages.ts';
import { validateRequest } from '../transcript/validate.ts';

const server = await startWireServer();
const base = mkdtempSync(join(tmpdir(), 'antler-view-'));
const workspaces = new FolderWorkspaces({ base, maxBytes: 30_000_000, clock: systemClock });
after(async () => {
  await server.close();
  await workspaces.close();
  rmSync(base, { recursive: true, force: true });
});

/** A PNG of 2 × 2 pixels, as far as anybody looks. */
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000020000000208', 'hex');
const photo: LoggedFile = { id: 'f_1' as FileId, kind: 'image', name: 'cat.png', mime: 'image/png', bytes: PNG.length };
const notes: LoggedFile = { id: 'f_2' as FileId, kind: 'file', name: 'a.txt', mime: 'text/plain', bytes: 1 };
const assistant = assistantWith(server.model({ vision: true }));
const harness = createHarness({ log: silentLogger, clock: systemClock, workspaces });
/** So long ago that it is not shown by itself. */
const history: readonly UserEntry[] = [
  { ...userSays('a cat'), files: [photo, notes] },
  ...Array.from({ length: 40 }, (_, n) => userSays(`message ${n}`)),
];
const look = (image: string) => calls({ name: 'view_image', args: { image } });
const ask = (more = assistant) =>
  runTurn(more, 'What colour was it?', {
    harness,
    request: { history, files: filesWith([photo, PNG], [notes, Buffer.from('x')]) },
  });
const imagesIn = ({ body }: SeenRequest): number => JSON.stringify(body.messages).split('"image_url":{').length - 1;

test('an image of long ago is shown when it is asked for, until the answer, in valid requests', async () => {
  server.script(look('cat.png'), calls({ name: 'current_time' }), says('Black.'));
  await ask();
  assert.deepEqual(server.seen.map(imagesIn), [0, 1, 1]);
  for (const { body } of server.seen) assert.deepEqual(validateRequest(body.messages as unknown as ChatMessage[]), []);
  assert.match(JSON.stringify(server.seen[1]?.body.messages.at(-1)), /asked to see: cat\.png/);
  server.script(says('Hm.'));
  await ask();
  assert.equal(server.seen[0] === undefined ? -1 : imagesIn(server.seen[0]), 0);
});

test('an image of the workspace is shown as well; the same one twice is shown once', async () => {
  const workspace = await workspaces.open({ owner: runContext.owner, assistantId: 'lead' }, assistant);
  await workspace.write('/mnt/user-data/outputs/plot.png', PNG);
  const plot = '/mnt/user-data/outputs/plot.png';
  server.script(look(plot), look(plot), says('It rises.'));
  await ask();
  assert.deepEqual(server.seen.map(imagesIn), [0, 1, 1]);
});

test('what is no image is not shown, and the model is told why', async () => {
  server.script(look('a.txt'), says('It is text.'));
  const { entries } = await ask();
  assert.match(entries.find((entry) => entry.kind === 'tool')?.text ?? '', /a\.txt cannot be shown: it is no PNG/);
  assert.deepEqual(server.seen.map(imagesIn), [0, 0]);
});

test('a model that does not see has no such tool', async () => {
  server.script(says('?'));
  await ask(assistantWith(server.model()));
  assert.ok(!server.seen[0]?.body.tools?.some((tool) => tool.function.name === 'view_image'));
});
