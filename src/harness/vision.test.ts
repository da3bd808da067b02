import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FileId } from '../base/ids.ts';
import type { LoggedFile } from './log.ts';
import type { Harness, HarnessEvent } from './port.ts';
import { assistantWith, filesWith, newHarness, type Outcome, runTurn, userSays } from './testing/run.ts';
import { calls, type SeenRequest, says, startWireServer, status, type WireServer } from './testing/wire-server.ts';

let server: WireServer;
before(async () => {
  server = await startWireServer();
});
after(() => server.close());

/** A PNG of 2 × 2 pixels, as far as anybody looks. */
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000020000000208', 'hex');
const photo: LoggedFile = {
  id: 'f_1' as FileId,
  kind: 'image',
  name: 'cat.jpg',
  mime: 'image/jpeg',
  bytes: PNG.length,
};

/** Someone sends a photo to a model that is said to see. Each test has a model of its own: endpoints learn. */
async function showPhoto(model: string, harness: Harness = newHarness(), files = [photo]): Promise<Outcome> {
  const assistant = assistantWith(server.model({ vision: true, model }));
  return runTurn(assistant, 'x', {
    harness,
    request: { input: [{ ...userSays('what is this?'), files }], files: filesWith([photo, PNG]) },
  });
}

const imagesIn = ({ body }: SeenRequest): number => JSON.stringify(body.messages).split('"image_url":{').length - 1;
const notices = ({ events }: Outcome): unknown[] =>
  events.flatMap((event: HarnessEvent) => (event.type === 'notice' ? [event.sentence] : []));

test('a model that sees is shown the image under the type that its bytes have, in every step', async () => {
  server.script(calls({ name: 'current_time' }), says('A cat.'));
  const outcome = await showPhoto('sees');
  assert.equal(outcome.result.text, 'A cat.');
  assert.deepEqual(server.seen.map(imagesIn), [1, 1]);
  assert.ok(JSON.stringify(server.seen[0]?.body).includes(`data:image/png;base64,${PNG.toString('base64')}`));
  assert.deepEqual(notices(outcome), []);
});

const refusals: readonly (readonly [number, string])[] = [
  [400, 'Invalid content type. image_url is only supported by certain models.'],
  [422, 'unknown variant `image_url`, expected `text`'],
  [404, 'No endpoints found that support image input'],
  [400, 'messages[1].content must be a string'],
  [400, 'some-model is not a multimodal model'],
];

for (const [code, message] of refusals)
  test(`an endpoint without eyes answers the text, the person is told, and it is not shown another: ${message}`, async () => {
    const harness = newHarness();
    server.script(status(code, { error: { message } }), says('I cannot see it.'));
    const outcome = await showPhoto(message, harness);
    assert.equal(outcome.result.text, 'I cannot see it.');
    assert.deepEqual(server.seen.map(imagesIn), [1, 0]);
    assert.match(JSON.stringify(server.seen[1]?.body), /There was an image here, which you cannot see/);
    assert.deepEqual(notices(outcome), ['images_unseen']);
    server.script(says('Still not.'));
    assert.deepEqual(notices(await showPhoto(message, harness)), ['images_unseen']);
    assert.deepEqual(server.seen.map(imagesIn), [0]);
  });

test('one image that an endpoint cannot read does not take its eyes for ever', async () => {
  const harness = newHarness();
  server.script(status(400, { error: { message: 'Could not process image' } }), says('Broken.'));
  assert.deepEqual(notices(await showPhoto('picky', harness)), ['images_unseen']);
  server.script(says('A cat.'));
  assert.deepEqual(notices(await showPhoto('picky', harness)), []);
  assert.deepEqual(server.seen.map(imagesIn), [1]);
});

test('what a provider will not look at is not answered as if it had not been there', async () => {
  server.script(status(400, { error: { message: 'The image was flagged.', code: 'content_policy_violation' } }));
  const { result } = await showPhoto('prude');
  assert.ok(result.status === 'failed');
  assert.equal(result.code, 'content_refused');
  assert.equal(server.seen.length, 1);
});

test('a file that only calls itself an image is not shown, and the model knows why', async () => {
  server.script(says('It is no image.'));
  const text = Buffer.from('<svg/>');
  await runTurn(assistantWith(server.model({ vision: true, model: 'sniffs' })), 'x', {
    request: { input: [{ ...userSays('see?'), files: [photo] }], files: filesWith([photo, text]) },
  });
  assert.deepEqual(server.seen.map(imagesIn), [0]);
  assert.match(JSON.stringify(server.seen[0]?.body), /You cannot see cat\.jpg: it is no PNG/);
});

test('the newest four images are shown, of this conversation and no other', async () => {
  server.script(says('Many.'));
  const photos = [1, 2, 3, 4, 5].map((n) => ({ ...photo, id: `f_${n}` as FileId, name: `${n}.png` }));
  const [first, ...others] = photos;
  assert.ok(first !== undefined);
  await runTurn(assistantWith(server.model({ vision: true, model: 'many' })), 'x', {
    request: {
      history: [{ ...userSays('old'), files: [first] }],
      input: others.map((file) => ({ ...userSays(file.name), files: [file] })),
      files: filesWith(...photos.map((file) => [file, PNG] as const)),
    },
  });
  assert.deepEqual(server.seen.map(imagesIn), [4]);
});
