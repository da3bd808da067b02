import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { InboundMessage } from '../channel/message.ts';
import { senderKey } from '../channel/message.ts';
import { messageWith } from '../files/testing/kit.ts';
import { type Desk, openIntake } from './testing/kit.ts';

let count = 0;

interface Said {
  readonly user?: string;
  readonly chat?: string;
  readonly kind?: 'dm' | 'group';
  readonly isBot?: boolean;
}

function says(
  text: string,
  { user = 'u1', chat = `d-${user}`, kind = 'dm', isBot = false }: Said = {},
): InboundMessage {
  return {
    ...messageWith(),
    id: `m${count++}`,
    text,
    chat: { id: chat, kind },
    sender: { id: user, name: user.toUpperCase(), isBot },
    addressed: kind === 'dm' ? 'dm' : 'mention',
  };
}

/** Everything that goes out, by chat. */
async function listen(t: TestContext, { bus }: Desk): Promise<(chat: string) => Promise<string>> {
  const heard = new Map<string, string[]>();
  await bus.outbox.send(
    ['chat'],
    async (outgoing) => {
      if (outgoing.kind === 'draft') return { kind: 'sent' };
      const { target, ...delivery } = outgoing.delivery;
      const text = 'document' in delivery ? delivery.document.markdown : '';
      heard.set(target.chat, [...(heard.get(target.chat) ?? []), text]);
      return { kind: 'sent', messageId: `s${count++}` };
    },
    { concurrency: 4, leaseMs: 10_000 },
  );
  return async (chat) => {
    await t.waitFor(() => assert.ok((heard.get(chat)?.length ?? 0) > 0), { timeout: 5_000 });
    return heard.get(chat)?.splice(0).join('\n') ?? '';
  };
}

const open = { dm: 'open', allowUsers: [], admins: [], groups: 'open', allowGroups: [] } as const;
const access = { ...open, requireMention: true, answerAll: false, role: 'member', bots: null } as const;

test('two accounts become one person when both say so, and two again', async (t) => {
  const desk = await openIntake(t, {}, { access });
  const hears = await listen(t, desk);
  const { accept, store } = desk;
  await accept(says('/link'));
  const code = /\*\*\/link (\S+)\*\*/.exec(await hears('d-u1'))?.[1] ?? '';
  await accept(says(`/link ${code}`, { user: 'u2' }));
  assert.match(await hears('d-u2'), /U1 \(.* u1\).*yes/);
  await accept(says(`/link ${code} yes`));
  assert.match(await hears('d-u1'), /does not work/);
  await accept(says(`/link ${code} yes`, { user: 'u2' }));
  assert.match(await hears('d-u2'), /first account/);
  assert.match(await hears('d-u1'), /U2 \(.* u2\).*yes/);
  const keys = [senderKey(says('', { user: 'u1' })), senderKey(says('', { user: 'u2' }))] as const;
  const people = async () => Promise.all(keys.map(async (key) => (await store.imUsers.get(key))?.person));
  assert.equal(new Set(await people()).size, 2);
  await accept(says(`/link ${code.toLowerCase()} YES`));
  assert.match(await hears('d-u1'), /one person/);
  assert.match(await hears('d-u2'), /one person/);
  assert.equal(new Set(await people()).size, 1);
  await accept(says('/whoami'));
  assert.match(await hears('d-u1'), /member.*Same person as|The same person as .* u2/);
  await accept(says('/link off', { user: 'u2' }));
  assert.match(await hears('d-u2'), /of its own/);
  assert.equal(new Set(await people()).size, 2);
  const actions = (await store.audit.list({ limit: 9 })).map(({ action }) => action);
  assert.deepEqual(actions, ['person.unlink', 'person.link']);
});

test('a code that a third person types, or that is typed in a group, links nobody', async (t) => {
  const desk = await openIntake(t, {}, { access });
  const hears = await listen(t, desk);
  const { accept } = desk;
  await accept(says('/link'));
  const code = /\*\*\/link (\S+)\*\*/.exec(await hears('d-u1'))?.[1] ?? '';
  await accept(says(`/link ${code}`, { user: 'u2', chat: 'g1', kind: 'group' }));
  assert.match(await hears('g1'), /private chat/);
  await accept(says(`/link ${code}`, { user: 'u2' }));
  await hears('d-u2');
  for (const word of ['', ' yes']) {
    await accept(says(`/link ${code}${word}`, { user: 'u3' }));
    assert.match(await hears('d-u3'), /does not work/);
  }
  for (let n = 0; n < 5; n++) await accept(says('/link ABCD-EFGH', { user: 'u3' }));
  assert.match(await hears('d-u3'), /Too many codes/);
});

test('the code of the terminal makes the first owner, once, even where strangers are not let in', async (t) => {
  const desk = await openIntake(t, {}, { access: { ...access, dm: 'allowlist' } });
  const hears = await listen(t, desk);
  const code = await desk.ownerClaim.offer();
  assert.ok(code !== null);
  assert.equal(await desk.ownerClaim.offer(), null);
  await desk.accept(says('/claim ABCD-EFGH', { user: 'u8' }));
  assert.match(await hears('d-u8'), /does not work/);
  await desk.accept(says(`/claim ${code}`, { user: 'u9' }));
  assert.match(await hears('d-u9'), /You own this bot/);
  assert.equal((await desk.store.imUsers.get(senderKey(says('', { user: 'u9' }))))?.role, 'owner');
  await desk.accept(says(`/claim ${code}`, { user: 'u7' }));
  assert.match(await hears('d-u7'), /cannot use this bot/);
});

const yaml = `
models: [{ name: small, model: s }, { name: big, model: b }]
assistants: { lead: {}, research: {}, secret: {} }
roles:
  operator: { users: [chat/op] }
  guest: { users: [chat/gus], assistants: [lead], models: [small], commands: [help, model, assistant, whoami] }
routing:
  - { match: { chat: g9 }, assistant_id: secret }
`;

test('people choose among what their role may use, for themselves; for a group only operators do', async (t) => {
  const desk = await openIntake(t, {}, { yaml, access: { ...access, role: 'guest' } });
  const hears = await listen(t, desk);
  const { accept, store } = desk;
  const said = async (text: string, who: Said): Promise<string> => {
    await accept(says(text, who));
    return hears(who.chat ?? `d-${who.user}`);
  };
  assert.match(await said('/model', { user: 'op' }), /- small\n- big/);
  assert.match(await said('/model BIG', { user: 'op' }), /From now on big thinks here/);
  assert.match(await said('/status', { user: 'op' }), /Assistant: lead/);
  assert.match(await said('/assistant research', { user: 'op' }), /research answers/);
  assert.match(await said('/status', { user: 'op' }), /Assistant: research/);
  assert.match(await said('/assistant default', { user: 'op' }), /as the bot is set up/i);
  assert.doesNotMatch(await said('/model', { user: 'gus' }), /big/);
  assert.doesNotMatch(await said('/model big', { user: 'gus' }), /From now on/);
  assert.match(await said('/new', { user: 'gus' }), /\/new is not for you/);
  const group = { chat: 'g1', kind: 'group' } as const;
  assert.match(await said('/model small', { user: 'gus', ...group }), /Only operators/);
  assert.match(await said('/model small', { user: 'op', ...group }), /small thinks here/);
  assert.match(await said('/help', { user: 'gus' }), /\/model/);
  assert.doesNotMatch(await said('/help', { user: 'gus' }), /\/pair|\/new/);
  assert.match(await said('/help', { user: 'op' }), /\/pause/);
  assert.equal((await store.audit.list({ limit: 1 })).length, 0);
});

test('nobody is answered by an assistant that their role may not use', async (t) => {
  const none = `${yaml}`.replace('assistants: [lead]', 'assistants: []');
  const desk = await openIntake(t, {}, { yaml: none, access: { ...access, role: 'guest' } });
  const hears = await listen(t, desk);
  await desk.accept(says('hello', { user: 'gus' }));
  assert.match(await hears('d-gus'), /may not use the assistant/);
  assert.equal((await desk.bus.stats()).waitingInputs, 0);
});

test('people go back to an earlier conversation by its number', async (t) => {
  const desk = await openIntake(t, {}, { access });
  const hears = await listen(t, desk);
  const { accept, store } = desk;
  await accept(says('/threads'));
  assert.match(await hears('d-u1'), /no earlier conversation/);
  await accept(says('about holidays'));
  const place = (await store.threads.find('chat/d-u1' as never))?.key;
  assert.ok(place !== undefined);
  const first = await store.threads.open(place);
  await store.threads.rename(first.id, 'Holidays');
  await accept(says('/new'));
  await hears('d-u1');
  await accept(says('/threads'));
  assert.match(await hears('d-u1'), /1\. Holidays — /);
  await accept(says('/resume 2'));
  assert.match(await hears('d-u1'), /no conversation of that number/);
  await accept(says('/resume'));
  assert.match(await hears('d-u1'), /Back in the conversation: Holidays/);
  assert.equal((await store.threads.open(place)).id, first.id);
});

test('a language that somebody chose is spoken everywhere they are', async (t) => {
  const desk = await openIntake(t, {}, { access });
  const hears = await listen(t, desk);
  await desk.accept(says('/lang 中文'));
  assert.match(await hears('d-u1'), /中文/);
  await desk.accept(says('/status'));
  assert.match(await hears('d-u1'), /状态/);
  await desk.accept(says('/lang klingon'));
  assert.match(await hears('d-u1'), /\/lang zh/);
  await desk.accept(says('/lang auto'));
  await hears('d-u1');
  await desk.accept(says('/status'));
  assert.match(await hears('d-u1'), /State/);
});

test('another bot is answered a few times, and then not until a person speaks', async (t) => {
  const bots = { most: 10, windowMs: 60_000, hops: 2 };
  const { accept, bus } = await openIntake(t, {}, { access: { ...access, bots } });
  const bot = { user: 'robo', chat: 'g1', kind: 'group', isBot: true } as const;
  const taken = async (): Promise<number> => (await bus.stats()).waitingInputs;
  for (let n = 0; n < 4; n++) await accept(says('and you?', bot));
  assert.equal(await taken(), 2);
  await accept(says('enough', { user: 'u1', chat: 'g1', kind: 'group' }));
  await accept(says('and you?', bot));
  assert.equal(await taken(), 4);
});

test('a conversation that was idle for too long is not gone on with', async (t) => {
  const reset = { idleMs: 1_000, dailyAtMinute: null };
  const { accept, store, bus } = await openIntake(t, {}, { access, reset });
  await accept(says('hello'));
  const place = 'chat/d-u1' as never;
  const first = await store.threads.open(place);
  await store.runs.start({
    id: 'r1' as never,
    thread: first.id,
    assistant: 'lead',
    model: 'm',
    firstSeq: 1,
    startedAt: Date.now() - 2_000,
  });
  await accept(says('still there?'));
  // What waits there is answered first: it belongs together.
  assert.equal((await store.threads.open(place)).id, first.id);
  await bus.cancel(first.id, 'stop');
  assert.equal((await bus.stats()).waitingInputs, 2);
});

test('a channel is paused and resumed by operators, and told everywhere by admins', async (t) => {
  const admins = { ...access, admins: ['adi'] };
  const desk = await openIntake(t, {}, { yaml, access: admins });
  const hears = await listen(t, desk);
  const { accept, bus } = desk;
  await accept(says('/pause', { user: 'u1' }));
  assert.match(await hears('d-u1'), /Only operators/);
  await accept(says('/pause', { user: 'op' }));
  await hears('d-op');
  assert.deepEqual(await bus.paused(), ['chat']);
  await accept(says('/resume-bot', { user: 'adi' }));
  await hears('d-adi');
  assert.deepEqual(await bus.paused(), []);
  await accept(says('/broadcast The bot moves tomorrow', { user: 'op' }));
  assert.match(await hears('d-op'), /Only admins/);
  await accept(says('/broadcast The bot moves tomorrow', { user: 'adi' }));
  assert.match(await hears('d-adi'), /goes to 2 chats/);
  assert.equal(await hears('d-u1'), 'The bot moves tomorrow');
  await accept(says('/who', { user: 'adi' }));
  assert.match(await hears('d-adi'), /- OP · `op`/);
});
