// @ts-check

/** What the page says, to each person in their language. `{name}` is filled in. */
const words = {
  en: {
    about: 'You play Ann and 小波. The built-in demo model answers, and nothing leaves this machine.',
    reconnecting: 'Reconnecting …',
    platforms: 'Platforms',
    chats: 'Chats',
    unread: '{count} new',
    alone: '{me} and {title}',
    speaker: 'Who speaks',
    speakAs: 'as {name}',
    placeholder: 'Write as {me}',
    hint: 'Say hello, or type / to see the commands.',
    groupHint: 'The bot answers what is said to it.',
    noGroup: '{platform} gives bots no groups.',
    toBot: 'To the bot',
    attach: 'Attach a file',
    remove: 'Remove {name}',
    tooLarge: 'That is too large here; up to 4 MB will do.',
    download: 'Save {name}',
    send: 'Send',
    save: 'Save',
    cancel: 'Cancel',
    reply: 'Reply',
    edit: 'Edit',
    recall: 'Take back',
    edited: 'edited',
    editedTimes: 'edited {count} times',
    editing: 'Editing your message',
    replying: 'Replying to {name}',
    typing: '{name} is typing …',
    failed: 'That did not work. Try again.',
    suggestions: 'Suggestions',
    bot: 'bot',
    loginTitle: 'The bot wants to log in',
    loginHint: 'On {platform} a person’s phone lends the bot its login: somebody scans this code and confirms.',
    scan: 'Scan with Ann’s phone',
    code: 'QR code of the login',
  },
  zh: {
    about: '你来扮演 Ann 和小波，由内置的演示模型回答，一切都在本机进行。',
    reconnecting: '正在重新连接……',
    platforms: '平台',
    chats: '聊天',
    unread: '{count} 条新消息',
    alone: '{me}与 {title}',
    speaker: '谁来说话',
    speakAs: '{name}',
    placeholder: '以{me}的身份发言',
    hint: '打个招呼，或输入 / 查看命令。',
    groupHint: '机器人会回答对它说的话。',
    noGroup: '{platform}不允许机器人加入群聊。',
    toBot: '对机器人说',
    attach: '添加文件',
    remove: '移除 {name}',
    tooLarge: '文件太大，这里最多 4 MB。',
    download: '保存 {name}',
    send: '发送',
    save: '保存',
    cancel: '取消',
    reply: '回复',
    edit: '编辑',
    recall: '撤回',
    edited: '已编辑',
    editedTimes: '已编辑 {count} 次',
    editing: '正在编辑你的消息',
    replying: '回复 {name}',
    typing: '{name} 正在输入……',
    failed: '没有成功，请再试一次。',
    suggestions: '建议',
    bot: '机器人',
    loginTitle: '机器人需要登录',
    loginHint: '{platform}的机器人借用手机登录：有人扫描此二维码并确认即可。',
    scan: '用 Ann 的手机扫码',
    code: '登录二维码',
  },
};

/** @typedef {keyof typeof words.en} Word */
/** @typedef {'en' | 'zh'} Language */
/** @typedef {(word: Word, values?: Record<string, string>) => string} Say */

/**
 * @param {Language} language
 * @returns {Say}
 */
export const speaker =
  (language) =>
  (word, values = {}) =>
    words[language][word].replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

/** The language of whoever sits before the page. @type {Language} */
export const pageLanguage = navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
