import { ApiError } from '../api-error.ts';
import type { Route } from './context.ts';

export const botInfo: Route = ({ app }) => ({
  whole: {
    code: 0,
    msg: 'ok',
    bot: { activate_status: 2, app_name: app.name, avatar_url: '', ip_white_list: [], open_id: app.openId },
  },
});

export const getUser: Route = ({ world, app, ids }) => {
  if (app.lacks.has('contact:user.base:readonly')) throw new ApiError(41050, 'no user authority error');
  const user = world.users.find(({ openId }) => openId === ids[0]);
  if (user === undefined || user.tenantKey !== app.tenantKey) throw new ApiError(41050, 'no user authority error');
  const { openId, unionId, userId, name, departments } = user;
  const hidden = app.lacks.has('contact:user.department:readonly');
  return {
    data: {
      user: {
        ...{ open_id: openId, union_id: unionId, user_id: userId, name },
        ...(hidden ? {} : { department_ids: departments.length === 0 ? ['0'] : departments }),
      },
    },
  };
};

/** From the child's parent upwards. */
export const getParents: Route = ({ world, app, query }) => {
  if (app.lacks.has('contact:department.organize:readonly')) throw new ApiError(40004, 'no dept authority error');
  let department = world.departments.find(({ id }) => id === query.get('department_id'));
  if (department === undefined) throw new ApiError(40015, 'department not exist');
  const items: object[] = [];
  while (department.parent !== undefined) {
    department = department.parent;
    items.push({ open_department_id: department.id, name: department.name });
  }
  return { data: { has_more: false, items } };
};

export const getChat: Route = ({ world, app, ids }) => {
  const chat = world.chat(ids[0] ?? '');
  if (chat === undefined) throw new ApiError(232006, 'Your request specifies a chat that does not exist.');
  if (!chat.apps.includes(app)) throw new ApiError(232011, 'Operator can NOT be out of the chat.');
  return { data: { name: chat.title, chat_mode: chat.kind, chat_type: 'private', external: false } };
};
