import { chatSubject, type PersonId, personSubject, type ThreadId, threadKey } from '../base/ids.ts';
import { senderKey } from '../channel/message.ts';
import type { JobNotice } from '../store/memory/port.ts';
import type { Scene } from './scene.ts';

/** Where something was said that may be worth remembering, about the person alone or about the group. */
export function memoryNotice(thread: ThreadId, { last, entry }: Scene, person: PersonId): JobNotice {
  const { chat, channel } = last.message;
  const isGroup = chat.kind === 'group';
  return {
    subject: isGroup ? chatSubject(threadKey({ channel, chat: chat.id })) : personSubject(person),
    thread,
    imUser: isGroup ? null : senderKey(last.message),
    channel: entry.settings.name,
    chat: chat.id,
    chatKind: chat.kind,
    assistant: last.assistantId,
    language: last.language,
  };
}
