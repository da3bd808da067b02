/**
 * Every sentence that the bot itself says to people, in each language it speaks. Rooms name a sentence; only this
 * file words it. Placeholders are `{name}`.
 */
const catalogue = {
  model_missing: {
    en: 'I have no model to think with yet. The owner can connect one on the start page.',
    zh: '我还没有可用的模型。管理员可以在首页接入一个。',
  },
  model_unauthorized: {
    en: 'The model service refused my key, so I cannot answer. The owner needs to check it.',
    zh: '模型服务拒绝了我的密钥，我暂时无法回答，请管理员检查配置。',
  },
  model_no_credit: {
    en: 'The account at the model service has no credit left, so I cannot answer. The owner needs to top it up.',
    zh: '模型服务的账户余额不足，我暂时无法回答，请管理员充值。',
  },
  model_unavailable: {
    en: 'The model service does not answer at the moment. Please try again in a minute.',
    zh: '模型服务暂时没有响应，请过一会儿再试。',
  },
  model_busy: {
    en: 'The model service is overloaded right now. Please try again in a minute.',
    zh: '模型服务现在很忙，请稍后再试。',
  },
  model_refused: {
    en: 'The model service declined to answer this.',
    zh: '模型服务拒绝回答这个问题。',
  },
  model_misconfigured: {
    en: 'The model is not set up correctly, so I cannot answer. The owner needs to check it.',
    zh: '模型的配置有误，我暂时无法回答，请管理员检查。',
  },
  answer_withheld: {
    en: '(The model service withheld the rest of this answer.)',
    zh: '（模型服务没有给出这个回答的其余部分。）',
  },
  model_broken_off: {
    en: '(The answer broke off here. Ask me to go on if you need the rest.)',
    zh: '（回答在这里中断了，需要的话可以让我继续。）',
  },
  model_empty: {
    en: 'The model gave no answer. Please ask again, perhaps in other words.',
    zh: '模型没有给出回答，请换个说法再试一次。',
  },
  file_gone: {
    en: 'The file {name} is no longer kept here, so it cannot be sent.',
    zh: '文件 {name} 已不再保存，无法发送。',
  },
  file_unsupported: {
    en: 'I made the file {name} ({size}), but files cannot be sent here.',
    zh: '我生成了文件 {name}（{size}），但这里无法发送文件。',
  },
  file_too_large: {
    en: 'I made the file {name}, but with {size} it is larger than may be sent here.',
    zh: '我生成了文件 {name}，但它有 {size}，超过了这里允许发送的大小。',
  },
  file_refused: {
    en: 'I made the file {name} ({size}), but this platform does not take files of this kind.',
    zh: '我生成了文件 {name}（{size}），但这个平台不接受这种文件。',
  },
  images_unseen: {
    en: '(The model does not take images, so it has answered without seeing them.)',
    zh: '（模型不支持图片，以上回答没有参考图片内容。）',
  },
  agent_permission: {
    en: '{agent} asks for your permission: {what}',
    zh: '{agent} 请求你的许可：{what}',
  },
  agent_permission_allow: { en: 'Allow it once', zh: '允许一次' },
  agent_permission_refuse: { en: 'Do not allow it', zh: '不允许' },
  context_full: {
    en: 'This conversation has become too long for the model. Send /new to start a fresh one.',
    zh: '对话太长，模型放不下了。发送 /new 开始新的对话。',
  },
  step_limit: {
    en: 'I stopped after {steps} steps without reaching an answer. Tell me how to go on.',
    zh: '我执行了 {steps} 步仍未得到答案，已停下。请告诉我接下来怎么做。',
  },
  run_failed: {
    en: 'Something went wrong on my side and I could not answer. Please try again. (Code {code})',
    zh: '我这边出了问题，没能回答。请再试一次。（代码 {code}）',
  },
  answer_below: {
    en: '(This takes longer than one message may grow here; the whole answer follows below.)',
    zh: '（这条消息已不能继续更新，完整的回答会在下面发出。）',
  },
  run_stopped: { en: 'Stopped.', zh: '已停止。' },
  button_stale: { en: 'This button does not work any more.', zh: '这个按钮已失效。' },
  nothing_to_stop: { en: 'I am not working on anything here.', zh: '现在没有正在处理的内容。' },
  new_thread: {
    en: 'A new conversation. What came before is no longer in my mind.',
    zh: '已开始新的对话，之前的内容我不再参考。',
  },
  inbox_full: {
    en: 'Too many messages are waiting here already; I did not take this one. Please send it again later.',
    zh: '这里等待处理的消息太多，我没有收下这一条，请稍后再发。',
  },
  busy_rejected: {
    en: 'I am still working on your last message; I did not take this one. /stop ends what I am doing.',
    zh: '我还在处理上一条消息，这一条没有收下。发送 /stop 可以停止当前任务。',
  },
  run_timeout: {
    en: 'This took longer than I may work on one answer ({minutes} minutes), so I stopped. Ask for a smaller step.',
    zh: '处理时间超过了单次上限（{minutes} 分钟），我已停下。请把任务拆小一些再试。',
  },
  pairing_code: {
    en: 'I do not know you yet. Ask the owner of this bot to let you in; your code is **{code}**. It is good for an hour.',
    zh: '我还不认识你。请让管理员批准，你的配对码是 **{code}**，一小时内有效。',
  },
  pairing_approved: { en: 'You are in. Write to me and I answer.', zh: '已通过，可以开始和我聊天了。' },
  pairing_denied: { en: 'The owner of this bot did not let you in.', zh: '管理员没有批准你的请求。' },
  pairing_done: { en: '{name} is in and has been told.', zh: '已批准 {name}，并已通知对方。' },
  pairing_done_unnamed: { en: 'They are in and have been told.', zh: '已批准，并已通知对方。' },
  pairing_unknown: {
    en: 'No such code. It may have been used already, or be older than an hour.',
    zh: '没有这个配对码，可能已经用过，或者已超过一小时。',
  },
  pairing_usage: {
    en: 'Send /pair with the code, such as /pair ABCD-EFGH.',
    zh: '请发送 /pair 加配对码，例如 /pair ABCD-EFGH。',
  },
  admins_only: { en: 'Only admins of this bot can do that.', zh: '只有管理员可以这样做。' },
  access_denied: {
    en: 'You cannot use this bot yet. Give the owner this id: {user}',
    zh: '你还不能使用这个机器人。请把这个编号告诉管理员：{user}',
  },
  command_unknown: {
    en: 'I do not know the command {command}. /help lists what I understand.',
    zh: '我不认识命令 {command}，发送 /help 查看可用命令。',
  },
  help: {
    en: 'Write to me and I answer; in a group, mention me or reply to me.\n\n- /new — start a fresh conversation\n- /stop — stop what I am doing\n- /again — send again what may not have arrived\n- /status — what I am working on\n- /whoami — who you are to me\n- /help — this list',
    zh: '直接给我发消息即可；在群里请 @我 或回复我。\n\n- /new — 开始新的对话\n- /stop — 停止当前任务\n- /again — 重新发送可能没有送达的内容\n- /status — 查看我的状态\n- /whoami — 查看你的身份\n- /help — 显示这份说明',
  },
  start: {
    en: 'Hello! Write to me and I answer. /help lists what else I understand.',
    zh: '你好！直接给我发消息就行，/help 可以查看我会的命令。',
  },
  status: {
    en: 'State: {state}. Messages waiting: {waiting}. Assistant: {assistant}. Model: {model}.',
    zh: '状态：{state}。等待处理：{waiting} 条。助手：{assistant}。模型：{model}。',
  },
  model_none: { en: 'none yet', zh: '尚未接入' },
  state_idle: { en: 'idle', zh: '空闲' },
  state_queued: { en: 'waiting for a worker', zh: '排队中' },
  working_status: { en: 'is thinking…', zh: '正在思考…' },
  state_running: { en: 'working', zh: '处理中' },
  whoami: {
    en: '{name}, id {user} on {channel}.',
    zh: '{name}，在 {channel} 上的编号是 {user}。',
  },
  whoami_unnamed: {
    en: 'Your id is {user} on {channel}; I know no name.',
    zh: '你在 {channel} 上的编号是 {user}，我不知道你的名字。',
  },
  menu_new: { en: 'Start a fresh conversation', zh: '开始新的对话' },
  menu_stop: { en: 'Stop what I am doing', zh: '停止当前任务' },
  menu_again: { en: 'Send again what may not have arrived', zh: '重新发送可能没有送达的内容' },
  menu_status: { en: 'What I am working on', zh: '查看我的状态' },
  menu_help: { en: 'What I understand', zh: '显示使用说明' },
  menu_whoami: { en: 'Who you are to me', zh: '查看你的身份' },
  demo_label: { en: 'Demo model', zh: '演示模型' },
  maybe_lost: {
    en: 'I cannot tell whether my last message reached you. If it is missing, send /again.',
    zh: '我无法确认上一条消息是否已送达。如果没有看到，请发送 /again。',
  },
  again_done: { en: 'Sending again what may not have arrived.', zh: '正在重新发送可能没有送达的内容。' },
  again_nothing: { en: 'There is nothing that did not arrive.', zh: '没有未送达的内容。' },
  late_note: {
    en: '(This answer was held up and comes {minutes} minutes late.)',
    zh: '（这条回复因故延迟了 {minutes} 分钟。）',
  },
} as const satisfies Record<string, { readonly en: string; readonly zh: string }>;

export type Language = 'en' | 'zh';
export type Sentence = keyof typeof catalogue;

/** Words a sentence. A placeholder without a value stays visible, so that a test can catch it. */
export function say(
  language: Language,
  sentence: Sentence,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return catalogue[sentence][language].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/**
 * The language to speak with somebody: what the platform says of them, else the script they write in, else what the
 * installation speaks.
 */
export function languageOf(platformCode: string | undefined, text = '', fallback: Language = 'en'): Language {
  if (platformCode !== undefined && platformCode !== '')
    return platformCode.toLowerCase().startsWith('zh') ? 'zh' : 'en';
  return /\p{Script=Han}/u.test(text) ? 'zh' : fallback;
}
