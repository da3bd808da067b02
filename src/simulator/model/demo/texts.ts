import type { Language } from '../../../base/sentences.ts';

/** What the demo model says. It stands in for a model, so these are answers, not sentences of the bot. */
export const texts = {
  greeting: {
    en: 'Hello{name}! I am a small demo model that runs inside Antler, without any outside service. Try “what time is it”, “12 × 12”, “book a table”, “send me a file” or “long”.',
    zh: '你好{name}！我是 Antler 自带的演示模型，不依赖任何外部服务。可以试试：“现在几点”、“12 × 12”、“订一张桌子”、“发个文件”或“长文”。',
  },
  nameLearned: {
    en: 'Nice to meet you, {name}. I will remember that in this conversation.',
    zh: '很高兴认识你，{name}。这次对话里我会记住的。',
  },
  nameKnown: { en: 'Your name is {name}; you told me earlier.', zh: '你叫{name}，你之前告诉过我。' },
  nameFromAccount: {
    en: 'You have not told me yet, but your account says {name}.',
    zh: '你还没告诉过我，不过你的账号名是{name}。',
  },
  nameUnknown: { en: 'You have not told me your name yet.', zh: '你还没告诉过我你的名字。' },
  time: { en: 'It is now {result}.', zh: '现在是 {result}。' },
  noTool: {
    en: 'I would need the tool “{tool}” for that, and this assistant does not have it.',
    zh: '这需要用到“{tool}”工具，而当前助手没有启用它。',
  },
  result: { en: '{expression} = **{result}**', zh: '{expression} = **{result}**' },
  toolFailed: { en: 'That did not work: {result}', zh: '没有成功：{result}' },
  bookQuestion: {
    en: 'Gladly. When shall it be?',
    zh: '好的。请问什么时候？',
  },
  bookToday: { en: 'Today at 7 pm', zh: '今天晚上七点' },
  bookTomorrow: { en: 'Tomorrow at 7 pm', zh: '明天晚上七点' },
  bookSaturday: { en: 'Saturday at 8 pm', zh: '周六晚上八点' },
  booked: {
    en: 'Noted: **{answer}**. As a demo I cannot really book anything, but this is how asking back works.',
    zh: '记下了：**{answer}**。演示模型并不会真的预订，这里只是演示如何追问。',
  },
  thanks: { en: 'You are welcome{name}!', zh: '不客气{name}！' },
  bye: { en: 'Goodbye{name}, talk to you soon.', zh: '再见{name}，回头聊。' },
  recall: { en: 'Before that you said: “{before}”.', zh: '在这之前你说的是：“{before}”。' },
  nothingBefore: { en: 'That was the first thing you told me here.', zh: '这是你在这里对我说的第一句话。' },
  help: {
    en: 'As a demo model I can do a few things, all offline:\n\n- remember your name in this conversation (“my name is …”, “what is my name?”)\n- tell the time and date, with the clock tool\n- calculate, with the calculator tool (“17 * 23 + 4”)\n- ask back when something is unclear (“book a table”)\n- take files: I read text files and look at images, and “send me a file” gets you one\n- write a long answer with headings, a list, a table and code (“long”)\n- count slowly, so that you can stop me (“count to 50”)\n\nConnect a real model on the start page, and I step aside.',
    zh: '作为演示模型，我能离线做几件小事：\n\n- 在对话中记住你的名字（“我叫……”、“我叫什么？”）\n- 用时钟工具告诉你时间和日期\n- 用计算器工具算数（“17 * 23 + 4”）\n- 信息不足时追问（“订一张桌子”）\n- 收发文件：能读文本文件、看图片，说“发个文件”我就发一个\n- 写一篇带标题、列表、表格和代码的长文（“长文”）\n- 慢慢数数，方便你试试停止（“数到50”）\n\n在首页接入真正的模型后，我就退场。',
  },
  other: {
    en: 'You wrote: “{text}”. I am only a demo model, so I cannot think about it properly. Ask me for “help” to see what I can do, or connect a real model on the start page.',
    zh: '你说的是：“{text}”。我只是演示模型，没法认真思考这个问题。发“帮助”可以看看我会什么，也可以在首页接入真正的模型。',
  },
  fileSent: {
    en: 'Here you are. A real model would write what you need; this one always sends the same.',
    zh: '给你。真正的模型会按需生成内容，演示模型发的总是这一份。',
  },
  fileRead: {
    en: 'I have read {name}. It begins:\n\n```\n{beginning}\n```',
    zh: '我读了 {name}，开头是：\n\n```\n{beginning}\n```',
  },
  filesGot: { en: 'I got {files}.', zh: '我收到了 {files}。' },
  fileUnreadable: { en: ' {name} I cannot read.', zh: '其中 {name} 我读不了。' },
  imageSeen: {
    en: ' Of the image I see that it is {mime}, {bytes} bytes; a real model with vision would tell you what it shows.',
    zh: '图片是 {mime}，{bytes} 字节；真正的视觉模型会告诉你图里有什么。',
  },
  quoted: { en: 'You refer to “{quoted}”. ', zh: '你引用了“{quoted}”。' },
} as const satisfies Record<string, Readonly<Record<Language, string>>>;

export type TextName = keyof typeof texts;

/** Fills in a text; a placeholder without a value vanishes. */
export function textIn(language: Language, name: TextName, values: Readonly<Record<string, string>> = {}): string {
  return texts[name][language].replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
}
