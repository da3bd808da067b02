import { parseImUserKey } from '../../base/ids.ts';
import { type Language, say } from '../../base/sentences.ts';
import { senderKey } from '../../channel/message.ts';
import type { Whereabouts } from '../../store/port.ts';
import type { CommandScene, Handler } from './scene.ts';

export const whoami: Handler = async ({ message: { sender, channel }, language, who, store }) => {
  const { id: user, name } = sender;
  const others = (await store.persons.imUsers(who.user.person)).filter(({ key }) => key !== who.user.key);
  const linked = others
    .map(({ key }) => parseImUserKey(key))
    .map(({ channelType, user: id }) => `${channelType} ${id}`);
  return [
    name === '' ? say(language, 'whoami_unnamed', { user, channel }) : say(language, 'whoami', { name, user, channel }),
    say(language, 'whoami_role', { role: say(language, `role_${who.role}`) }),
    ...(linked.length === 0 ? [] : [say(language, 'whoami_linked', { accounts: linked.join(', ') })]),
  ].join(' ');
};

const LANGUAGES: Readonly<Record<string, Language | null>> = {
  en: 'en',
  english: 'en',
  zh: 'zh',
  中文: 'zh',
  chinese: 'zh',
  auto: null,
};

export const chooseLanguage: Handler = async ({ store, who, language }, args) => {
  const chosen = LANGUAGES[args.toLowerCase()];
  if (chosen === undefined) return say(language, 'lang_usage');
  await store.imUsers.chooseLanguage(who.user.key, chosen);
  return say(chosen ?? language, chosen === null ? 'lang_auto' : 'lang_done');
};

/** `/link`, `/link CODE`, `/link CODE yes`, `/link off`. Only where nobody else reads along. */
export const link: Handler = async (scene, args) => {
  const { message, linking, language, who } = scene;
  if (message.chat.kind !== 'dm') return say(language, 'only_dm');
  const [code = '', word = ''] = args.split(/\s+(?=\S+$)/);
  if (code === '') return linking.ask(whereabouts(scene), language);
  if (/^off$/i.test(code)) return linking.leave(who.user, language);
  if (/^(yes|是|好)$/i.test(word)) return linking.agree(code, whereabouts(scene), language);
  return linking.enter(args, whereabouts(scene), language);
};

const whereabouts = ({ message }: CommandScene): Whereabouts => ({
  key: senderKey(message),
  channel: message.channel,
  chat: message.chat.id,
});

/** The first owner, by the code that stands at the terminal. */
export const claim: Handler = async ({ ownerClaim, who, message, language }, args) => {
  if (message.chat.kind !== 'dm') return say(language, 'only_dm');
  return say(language, (await ownerClaim.take(args, who.user)) ? 'claim_done' : 'claim_unknown');
};
