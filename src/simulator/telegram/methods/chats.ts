import { badRequest } from '../api-error.ts';
import { chatToWire, isPresent, userToWire } from '../chat.ts';
import { chatOf, type Method, reachableChatOf } from './context.ts';

const getChat: Method = (call) => {
  const chat = chatOf(call);
  return { ...chatToWire(chat), accent_color_id: 0, max_reaction_count: 11 };
};

const getChatMember: Method = (call) => {
  const chat = reachableChatOf(call);
  const id = call.params.integer('user_id');
  const member = id === undefined ? undefined : chat.members.get(id);
  if (member === undefined) throw badRequest('user not found');
  return { user: userToWire(member.user), status: member.status };
};

const getChatMemberCount: Method = (call) => {
  const chat = reachableChatOf(call);
  return [...chat.members.keys()].filter((id) => isPresent(chat, id)).length;
};

const getChatAdministrators: Method = (call) => {
  const chat = reachableChatOf(call);
  if (chat.kind === 'private') throw badRequest('there are no administrators in the private chat');
  return [...chat.members.values()]
    .filter(({ status }) => status === 'creator' || status === 'administrator')
    .map(({ user, status }) => ({ user: userToWire(user), status }));
};

const leaveChat: Method = (call) => {
  const chat = reachableChatOf(call);
  if (chat.kind === 'private') throw badRequest("chat member status can't be changed in private chats");
  chat.members.set(call.bot.user.id, { user: call.bot.user, status: 'left' });
  call.world.events.emit({ type: 'members', chat });
  return true;
};

export const chatMethods: Readonly<Record<string, Method>> = {
  getChat,
  getChatMember,
  getChatMemberCount,
  getChatAdministrators,
  leaveChat,
};
