import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { FileId } from '../../src/base/ids.ts';
import { startRig, threadBelow } from './testing/rig.ts';

interface AppManifest {
  readonly features: {
    readonly slash_commands: readonly { readonly command: string }[];
    readonly shortcuts: readonly { readonly type: string }[];
  };
  readonly oauth_config: { readonly scopes: { readonly bot: readonly string[] } };
  readonly settings: { readonly event_subscriptions: { readonly bot_events: readonly string[] } };
}

const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
const source = /```yaml\n(\s*display_information:[\s\S]*?)```/.exec(readme)?.[1] ?? '';
const manifest = parse(source) as AppManifest;

test('an app made from the README’s manifest may do all that the bot does', async (t) => {
  const rig = await startRig({ scopes: manifest.oauth_config.scopes.bot });
  t.after(rig.stop);
  const { slack, adapter, inbox, ann, channel, target } = rig;
  assert.deepEqual(await adapter.probe(), { ok: true, identity: '@antler (Antler Works)' });
  await adapter.start();
  const root = slack.people.say(ann, channel, '@antler hello');
  assert.equal((await inbox.next()).sender.name, 'Ann Lee');
  const thread = threadBelow(channel, root);
  await adapter.typing?.(thread);
  const streamed = await adapter.send(thread, { markdown: 'a' }, { key: '1', draft: true });
  await adapter.edit?.(thread, streamed.id, { markdown: 'ab' }, { key: '1' });
  slack.faults.plan('chat.postMessage', { kind: 'drop', processed: true });
  const { id } = await adapter.send(target, { markdown: 'b' }, { key: '2' });
  await adapter.edit?.(target, id, { markdown: 'c' }, { key: '2' });
  await adapter.delete?.(target, id);
  const file = { id: 'f_1' as FileId, kind: 'file', name: 'a.txt', mime: 'text/plain', bytes: 1 } as const;
  const sent = await adapter.sendFile?.(target, { ...file, content: new Uint8Array([1]) }, 'x', { key: '3' });
  await adapter.delete?.(target, sent?.id ?? '');
  const group = slack.addGroup('ops');
  const theirs = slack.addFile({ name: 'b.txt', mimetype: 'text/plain', bytes: new Uint8Array([1]), by: ann });
  slack.people.say(ann, rig.dm, `<!subteam^${group.id}>`, { typed: false, files: [theirs] });
  const heard = await inbox.next();
  assert.equal(heard.text, '@ops');
  const signal = AbortSignal.timeout(5_000);
  await adapter.fetchFile?.(heard.files[0] ?? assert.fail(), { maxBytes: 9, signal });
  const refused = slack.calls.list().filter(({ error }) => error !== undefined);
  assert.deepEqual(refused, []);
});

test('it hears of everything that the bot can read', () => {
  const events = manifest.settings.event_subscriptions.bot_events;
  const kinds = ['channels', 'groups', 'im', 'mpim'].map((kind) => `message.${kind}`);
  const others = ['app_mention', 'reaction_added', 'reaction_removed', 'member_joined_channel', 'member_left_channel'];
  const changes = [
    'channel_id_changed',
    'user_change',
    'channel_rename',
    'group_rename',
    ...['subteam_created', 'subteam_members_changed', 'subteam_updated'],
    'tokens_revoked',
    'app_uninstalled',
  ];
  assert.deepEqual([...events].sort(), [...kinds, ...others, ...changes].sort());
  assert.deepEqual(
    manifest.features.slash_commands.map(({ command }) => command),
    ['/antler'],
  );
  assert.deepEqual(
    manifest.features.shortcuts.map(({ type }) => type),
    ['message'],
  );
});
