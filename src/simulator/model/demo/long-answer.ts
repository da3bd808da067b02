import type { Language } from '../../../base/sentences.ts';

const english = `# How a message travels

A gateway looks simple from outside: a message goes in, an answer comes out. Inside, most of the work is about *not losing* anything on the way.

## The way in

1. The platform hands over an event, sometimes **twice**.
2. The adapter turns it into one common shape.
3. Intake checks who is speaking and whether this message was seen before.
4. Only when it is stored for good is the platform told “received”.

> Storing first and thanking later costs a few milliseconds. The other order costs messages.

## What can go wrong

| Trouble | What people would see | What happens here |
|---|---|---|
| The event comes twice | two answers | the second one is recognised |
| A process dies | silence | another one takes over |
| Too many edits | a frozen answer | the pace is lowered, the end still arrives |
| Formatting is refused | nothing at all | plain text is sent |

## In code

\`\`\`ts
async function accept(message: Message): Promise<void> {
  if (await seen.claim(message.id)) await inbox.append(message);
  await platform.acknowledge(message.id);
}
\`\`\`

### Notes on the code

- \`claim\` is atomic: of two callers exactly one gets \`true\`.
- \`append\` is durable before it returns; see [write-ahead logging](https://en.wikipedia.org/wiki/Write-ahead_logging).
- Nothing in here waits for the model. ~~Waiting~~ is what workers are for.

## The way out

An answer grows while you watch. Every edit counts against the platform's limits, so edits are spaced out: quick at first, slower as the text gets long. When the last word is there, the final text is sent *whatever happened before* — by closing the stream, by one more edit, or as a new message.

- Long answers are split between paragraphs, never inside a word or a code block without closing it.
- Tables are shown as the platform allows.
- Emoji such as 👩‍👩‍👧‍👦 and rare characters such as 𠮷 stay whole.

That is all. Ask me something shorter next time, or say “long” again.`;

const chinese = `# 一条消息的旅程

从外面看，网关很简单：消息进来，回答出去。里面的大部分工作，其实是保证路上*什么都不丢*。

## 进来的路

1. 平台推送事件，有时会推**两次**。
2. 适配器把它转换成统一的格式。
3. 接收环节检查是谁在说话、这条消息是否见过。
4. 只有在可靠保存之后，才告诉平台“已收到”。

> 先保存、后确认，多花几毫秒；反过来，丢的是消息。

## 可能出的岔子

| 问题 | 用户会看到 | 这里的做法 |
|---|---|---|
| 事件重复推送 | 两条回答 | 识别并忽略第二次 |
| 进程崩溃 | 没有回应 | 由另一个进程接手 |
| 编辑太频繁 | 回答卡住 | 放慢节奏，结尾照样送达 |
| 格式被拒绝 | 什么都没有 | 改发纯文本 |

## 代码示意

\`\`\`ts
async function accept(message: Message): Promise<void> {
  if (await seen.claim(message.id)) await inbox.append(message);
  await platform.acknowledge(message.id);
}
\`\`\`

### 关于代码

- \`claim\` 是原子的：两个调用者中只有一个得到 \`true\`。
- \`append\` 返回之前已经落盘，参见[预写日志](https://zh.wikipedia.org/wiki/预写式日志)。
- 这里不等待模型，~~等待~~是工作进程的事。

## 出去的路

回答会在你眼前慢慢变长。每次编辑都受平台限制，所以编辑有间隔：开始快，文字变长后放慢。最后一个字写完时，*无论之前发生了什么*，完整的文本都会送达：结束流、再编辑一次，或者另发一条新消息。

- 长回答在段落之间切分，不会切断单词，也不会留下没有闭合的代码块。
- 表格按平台支持的方式显示。
- 👩‍👩‍👧‍👦 这样的表情和 𠮷 这样的生僻字都保持完整。

就这些。下次可以问短一点的，也可以再说一次“长文”。`;

/** A long answer with everything that Markdown has, to see streaming, splitting and formatting at work. */
export const longAnswer = (language: Language): string => (language === 'zh' ? chinese : english);
