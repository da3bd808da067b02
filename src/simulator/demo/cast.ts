import type { Language } from '../../base/sentences.ts';
import type { Bot, Chat, TelegramSimulator, User } from '../telegram/index.ts';

export interface Person {
  readonly user: User;
  readonly language: Language;
}

/** One person's view of one chat. */
export interface Pane {
  readonly key: string;
  readonly person: Person;
  readonly chat: Chat;
}

/** Who plays, and where: Ann and Bo each alone with the bot, and together with it in a group. */
export interface Cast {
  readonly bot: Bot;
  readonly panes: readonly Pane[];
}

export function castFor(telegram: TelegramSimulator, bot: Bot): Cast {
  const ann: Person = {
    user: telegram.addUser({ firstName: 'Ann', username: 'ann_demo', language: 'en' }),
    language: 'en',
  };
  const bo: Person = {
    user: telegram.addUser({ firstName: '小波', username: 'xiaobo_demo', language: 'zh-hans' }),
    language: 'zh',
  };
  const group = telegram.addGroup({ title: 'Team 小组', members: [ann.user, bo.user, bot] });
  return {
    bot,
    panes: [
      { key: 'ann-bot', person: ann, chat: telegram.openPrivateChat(ann.user, bot) },
      { key: 'ann-group', person: ann, chat: group },
      { key: 'bo-group', person: bo, chat: group },
      { key: 'bo-bot', person: bo, chat: telegram.openPrivateChat(bo.user, bot) },
    ],
  };
}
