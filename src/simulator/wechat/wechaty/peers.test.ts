import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { log, type Message, type Wechaty, WechatyBuilder } from 'wechaty';
import { PuppetService } from 'wechaty-puppet-service';
import { startWechaty, type WechatySimulator } from './index.ts';

log.level('silent');

/** wechaty as its own documentation has it used, without anything of ours in between. */
let wechat: WechatySimulator;
let bot: Wechaty;
const heard: Message[] = [];
let told: (() => void) | undefined;

/** wechaty keeps what it knows of people below the home folder. */
const home = mkdtempSync(join(tmpdir(), 'antler-wechaty-home-'));
process.env.HOME = home;
process.env.USERPROFILE = home;

before(async () => {
  wechat = await startWechaty();
  const { token, endpoint } = wechat;
  bot = WechatyBuilder.build({ puppet: new PuppetService({ token, endpoint, tls: { disable: true } }) });
  bot.on('error', () => {});
  bot.on('message', (message) => {
    heard.push(message);
    told?.();
  });
  const loggedIn = new Promise((resolve) => bot.once('login', resolve));
  await bot.start();
  await loggedIn;
});
after(async () => {
  await bot.stop();
  await wechat.stop();
  rmSync(home, { recursive: true, force: true });
});

/** The next message that people say. */
async function next(): Promise<Message> {
  for (;;) {
    const message = heard.shift();
    if (message !== undefined && !message.self()) return message;
    if (message === undefined) await new Promise<void>((resolve) => (told = resolve));
  }
}

test('a conversation in a direct chat', async () => {
  const ann = wechat.addContact('Ann');
  wechat.people.say(ann, ann, 'hello');
  const message = await next();
  assert.deepEqual([message.text(), message.talker().name(), message.room()], ['hello', 'Ann', undefined]);
  const reply = await message.say('hi');
  assert.equal(wechat.visible(ann).at(-1)?.text, 'hi');
  assert.equal(reply instanceof Object ? reply.id : undefined, wechat.visible(ann).at(-1)?.id);
});

test('a room, with mentions both ways', async () => {
  const bob = wechat.addContact('Bob');
  const room = wechat.addRoom({ topic: 'Team', members: [bob], aliases: { Bob: 'Bobby' } });
  wechat.people.say(bob, room, `${wechat.people.at(wechat.account, room)}hi`, { mention: [wechat.account] });
  const message = await next();
  assert.deepEqual([await message.mentionSelf(), await message.mentionText()], [true, 'hi']);
  const there = message.room();
  assert.equal(await there?.topic(), 'Team');
  await there?.say('look', message.talker());
  const seen = wechat.visible(room).at(-1);
  assert.deepEqual([seen?.text, seen?.mentions], ['@Bobby look', [bob.id]]);
});

test('files, links, and a message that is taken back', async () => {
  const eve = wechat.addContact('Eve');
  wechat.people.sendFile(eve, eve, { name: 'a.txt', bytes: new TextEncoder().encode('content') });
  const file = await (await next()).toFileBox();
  assert.deepEqual([file.name, String(await file.toBuffer())], ['a.txt', 'content']);
  wechat.people.say(eve, eve, '', { type: 'url', card: { title: 'News', url: 'https://example.com' } });
  assert.equal((await (await next()).toUrlLink()).title(), 'News');
  const oops = wechat.people.say(eve, eve, 'oops');
  await next();
  wechat.people.recall(oops);
  assert.equal((await (await next()).toRecalled())?.id, oops.id);
});

test('a text that is too long for WeChat’s apps is refused, and people come and go', async () => {
  const [ann, bob] = [wechat.addContact('Ann'), wechat.addContact('Bob')];
  const contact = await bot.Contact.find({ id: ann.id });
  await assert.rejects(async () => contact?.say('x'.repeat(2_049)), /too long/);
  await contact?.say('x'.repeat(2_048));
  const room = wechat.addRoom({ topic: 'Club', members: [ann] });
  const joined = new Promise((resolve) =>
    bot.once('room-join', (_, people) => resolve(people.map((one) => one.name()))),
  );
  wechat.people.join(bob, room, ann);
  assert.deepEqual(await joined, ['Bob']);
  const left = new Promise((resolve) =>
    bot.once('room-leave', (_, people) => resolve(people.map((one) => one.name()))),
  );
  wechat.people.leave(bob, room, ann);
  assert.deepEqual(await left, ['Bob']);
});

test('faults happen once, and the log tells what was asked', async () => {
  const ann = wechat.addContact('Ann');
  const contact = await bot.Contact.find({ id: ann.id });
  wechat.faults.plan('messageSendText', { kind: 'refuse', message: 'not a friend' });
  await assert.rejects(async () => contact?.say('one'), /not a friend/);
  await contact?.say('two');
  assert.deepEqual(
    wechat.visible(ann).map(({ text }) => text),
    ['two'],
  );
  const sends = wechat.calls.list('messageSendText').slice(-2);
  assert.deepEqual(
    sends.map(({ args }) => args.slice(0, 2)),
    [
      [ann.id, 'one'],
      [ann.id, 'two'],
    ],
  );
});
