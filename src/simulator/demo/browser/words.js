// @ts-check

/** What the page says, to each person in their language. `{name}` is filled in. */
export const words = {
  en: {
    alone: '{me} and {title}',
    group: '{me} in {title}',
    placeholder: 'Write as {me}',
    hint: 'Say hello, or type / to see the commands.',
    groupHint: 'Type @ to call the bot; it only hears what is addressed to it.',
    send: 'Send',
    save: 'Save',
    cancel: 'Cancel',
    reply: 'Reply',
    edit: 'Edit',
    edited: 'edited',
    editing: 'Editing your message',
    replying: 'Replying to {name}',
    typing: '{name} is typing …',
    joined: '{name} joined',
    left: '{name} left',
    other: 'The chat changed',
    failed: 'That did not work. Try again.',
    suggestions: 'Suggestions',
    bot: 'bot',
  },
  zh: {
    alone: '{me}与 {title}',
    group: '{me}在“{title}”',
    placeholder: '以{me}的身份发言',
    hint: '打个招呼，或输入 / 查看命令。',
    groupHint: '输入 @ 呼叫机器人，它只听得到对它说的话。',
    send: '发送',
    save: '保存',
    cancel: '取消',
    reply: '回复',
    edit: '编辑',
    edited: '已编辑',
    editing: '正在编辑你的消息',
    replying: '回复 {name}',
    typing: '{name} 正在输入……',
    joined: '{name} 加入了群组',
    left: '{name} 离开了群组',
    other: '群组有变动',
    failed: '没有成功，请再试一次。',
    suggestions: '建议',
    bot: '机器人',
  },
};

/** @typedef {keyof typeof words.en} Word */

/**
 * @param {'en' | 'zh'} language
 * @returns {(word: Word, values?: Record<string, string>) => string}
 */
export const speaker =
  (language) =>
  (word, values = {}) =>
    words[language][word].replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
