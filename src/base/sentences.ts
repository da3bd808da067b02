/**
 * Every sentence that the bot itself says to people, in each language it speaks. Rooms name a sentence; only this
 * file words it. Placeholders are `{name}`; `{name|one|many}` is a word that
 * goes by the number of that name.
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
  model_fallback: {
    en: '(The usual model could not be reached; this answer is by {model}.)',
    zh: '（常用的模型暂时无法使用，这个回答来自 {model}。）',
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
  tool_approval: {
    en: 'May I use {tool} with this? {what}',
    zh: '我可以使用 {tool} 吗？{what}',
  },
  tool_approval_by: {
    en: 'I want to use {tool} with this: {what}\n\nSomebody has to allow it who is at least: {role}.',
    zh: '我想使用 {tool}：{what}\n\n需要由{role}或以上的人批准。',
  },
  agent_permission_allow: { en: 'Allow it once', zh: '允许一次' },
  agent_permission_refuse: { en: 'Do not allow it', zh: '不允许' },
  context_full: {
    en: 'This conversation has become too long for the model. Send /new to start a fresh one.',
    zh: '对话太长，模型放不下了。发送 /new 开始新的对话。',
  },
  step_limit: {
    en: 'I stopped after {steps} {steps|step|steps} without reaching an answer. Tell me how to go on.',
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
  messages_dropped: {
    en: '{count} {count|message|messages} that I had not answered yet will not be answered any more.',
    zh: '还没有回答的 {count} 条消息不再回答。',
  },
  inbox_full: {
    en: 'Too many messages are waiting here already. I did not take this one, nor what follows until I have caught up. Please send it again later.',
    zh: '这里等待处理的消息太多，这一条我没有收下，处理完一些之前后面的也不会收下，请稍后再发。',
  },
  busy_rejected: {
    en: 'I am still working on your last message. I did not take this one, nor what follows until I am done. /stop ends what I am doing.',
    zh: '我还在处理上一条消息，这一条没有收下，处理完之前后面的也不会收下。发送 /stop 可以停止当前任务。',
  },
  run_timeout: {
    en: 'This took longer than I may work on one answer ({limit}), so I stopped. Ask for a smaller step.',
    zh: '处理时间超过了单次上限（{limit}），我已停下。请把任务拆小一些再试。',
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
    en: 'Write to me and I answer; in a group, mention me or reply to me.',
    zh: '直接给我发消息即可；在群里请 @我 或回复我。',
  },
  start: {
    en: 'Hello! Write to me and I answer. /help lists what else I understand.',
    zh: '你好！直接给我发消息就行，/help 可以查看我会的命令。',
  },
  status: {
    en: 'State: {state}. Messages waiting: {waiting}. Assistant: {assistant}. Model: {model}.',
    zh: '状态：{state}。等待处理：{waiting} 条。助手：{assistant}。模型：{model}。',
  },
  status_overhears: {
    en: 'I also read along here: {kept} {kept|message|messages} kept, for a day at most, until I am next spoken to.',
    zh: '我也会留意这里的其他消息：目前保留了 {kept} 条，最多保留一天，下次有人叫我时会用到。',
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
    en: '(This answer was held up and comes {late} late.)',
    zh: '（这条回复因故延迟了{late}。）',
  },
  menu_resume: { en: 'Go back to an earlier conversation', zh: '回到之前的对话' },
  menu_threads: { en: 'Earlier conversations here', zh: '查看这里之前的对话' },
  menu_model: { en: 'Choose the model', zh: '选择模型' },
  menu_assistant: { en: 'Choose the assistant', zh: '选择助手' },
  menu_memory: { en: 'What I remember about you', zh: '查看我记住的内容' },
  menu_usage: { en: 'What you have used', zh: '查看用量' },
  menu_link: { en: 'Make one person of your accounts', zh: '关联你的其他账号' },
  menu_lang: { en: 'Choose the language', zh: '选择语言' },
  menu_who: { en: 'Who wrote to me lately', zh: '查看最近联系过我的人' },
  menu_pause: { en: 'Let messages wait', zh: '暂停回复' },
  menu_resume_bot: { en: 'Answer again', zh: '恢复回复' },
  menu_pair: { en: 'Let somebody in by their code', zh: '用配对码批准用户' },
  menu_broadcast: { en: 'Say something in every chat', zh: '向所有会话发送消息' },
  operators_only: { en: 'Only operators of this bot can do that.', zh: '只有运维人员可以这样做。' },
  command_denied: { en: '{command} is not for you here.', zh: '你不能在这里使用 {command}。' },
  command_off: { en: '{command} is switched off here.', zh: '{command} 在这里未启用。' },
  only_dm: {
    en: 'Not where others read along: send me that in a private chat.',
    zh: '请在私聊中发送，这里其他人也能看到。',
  },
  assistant_denied: { en: 'You may not use the assistant that answers here.', zh: '你没有权限使用这里的助手。' },
  threads: {
    en: 'Conversations here, newest first; /resume with a number goes back to one:',
    zh: '这里的对话（最近的在前），发送 /resume 加编号可以回到其中一个：',
  },
  threads_none: { en: 'There is no earlier conversation here.', zh: '这里还没有之前的对话。' },
  resume_unknown: {
    en: 'There is no conversation of that number. /threads lists them.',
    zh: '没有这个编号的对话，发送 /threads 查看列表。',
  },
  resumed: { en: 'Back in the conversation: {title}', zh: '已回到对话：{title}' },
  model_choice: {
    en: 'Models; /model with a name chooses one, /model default leaves it to the bot:',
    zh: '可选模型，发送 /model 加名称选择，/model default 恢复默认：',
  },
  model_chosen: { en: 'From now on {name} thinks here.', zh: '从现在起这里使用模型 {name}。' },
  assistant_choice: {
    en: 'Assistants; /assistant with a name chooses one, /assistant default leaves it to the bot:',
    zh: '可选助手，发送 /assistant 加名称选择，/assistant default 恢复默认：',
  },
  assistant_chosen: { en: 'From now on {name} answers here.', zh: '从现在起由 {name} 回答。' },
  choice_none: { en: 'There is nothing to choose from.', zh: '没有可选项。' },
  choice_undone: { en: 'As the bot is set up, then.', zh: '已恢复默认设置。' },
  lang_usage: { en: 'Send /lang en, /lang zh or /lang auto.', zh: '请发送 /lang zh、/lang en 或 /lang auto。' },
  lang_done: { en: 'I speak English with you from now on.', zh: '从现在起我用中文和你说话。' },
  lang_auto: { en: 'I speak what your app speaks.', zh: '我会跟随你的应用语言。' },
  whoami_role: { en: 'To me you are {role}.', zh: '你的角色是{role}。' },
  whoami_linked: { en: 'The same person as {accounts}.', zh: '已关联账号：{accounts}。' },
  role_owner: { en: 'the owner', zh: '所有者' },
  role_admin: { en: 'an admin', zh: '管理员' },
  role_operator: { en: 'an operator', zh: '运维人员' },
  role_member: { en: 'a member', zh: '成员' },
  role_guest: { en: 'a guest', zh: '访客' },
  who: { en: 'Who wrote to me lately:', zh: '最近联系过我的人：' },
  paused: {
    en: 'Messages wait from now on, and none is lost. /resume-bot answers them.',
    zh: '已暂停，消息会保留，发送 /resume-bot 后继续回复。',
  },
  unpaused: { en: 'I answer again.', zh: '已恢复回复。' },
  broadcast_usage: { en: 'Send /broadcast with what to say.', zh: '请发送 /broadcast 加要说的内容。' },
  broadcast_done: { en: 'It goes to {count} {count|chat|chats}.', zh: '正在发送到 {count} 个会话。' },
  link_code: {
    en: 'On your other account, send me: **/link {code}**. The code is good for ten minutes. Never type a code that somebody else gave you.',
    zh: '请用你的另一个账号给我发送：**/link {code}**，十分钟内有效。不要输入别人给你的代码。',
  },
  link_confirm: {
    en: 'This makes one person of you and {who}: both see and share what I remember. Only if that is you as well, send: **/link {code} yes**',
    zh: '这会把你和 {who} 关联为同一个人，双方共享我记住的内容。如果那也是你本人，请发送：**/link {code} yes**',
  },
  link_asked: {
    en: '{who} wants to be one person with you; both then share what I remember. Only if that is you as well, send: **/link {code} yes**',
    zh: '{who} 希望与你关联为同一个人，双方将共享我记住的内容。如果那也是你本人，请发送：**/link {code} yes**',
  },
  link_waiting: {
    en: 'Now your first account has to agree; I have asked there.',
    zh: '已向你的第一个账号发送确认请求，请在那边确认。',
  },
  link_done: {
    en: 'You and {who} are one person to me from now on. /link off undoes that.',
    zh: '从现在起你和 {who} 是同一个人。发送 /link off 可以取消关联。',
  },
  link_unknown: {
    en: 'That code does not work. It may be older than ten minutes; /link makes a new one.',
    zh: '这个代码无效，可能已超过十分钟，发送 /link 获取新的代码。',
  },
  link_too_often: { en: 'Too many codes. Wait ten minutes.', zh: '尝试次数过多，请十分钟后再试。' },
  unlink_done: { en: 'This account is a person of its own again.', zh: '这个账号已取消关联。' },
  unlink_alone: { en: 'This account is not linked with any other.', zh: '这个账号没有关联其他账号。' },
  claim_done: {
    en: 'You own this bot now. /help shows what that lets you do.',
    zh: '你现在是这个机器人的所有者，发送 /help 查看你可以做什么。',
  },
  claim_unknown: { en: 'That code does not work.', zh: '这个代码无效。' },
  budget_tokens: {
    en: 'The tokens for today are used up: {whose} limit is {max} a day. I go on at {time}.',
    zh: '今天的用量已用完：{whose}的上限是每天 {max} 个 token，{time} 后可以继续。',
  },
  budget_runs: {
    en: 'No more answers in this hour: {whose} limit is {max} an hour. I go on at {time}.',
    zh: '这一小时的回答次数已用完：{whose}的上限是每小时 {max} 次，{time} 后可以继续。',
  },
  budget_concurrent: {
    en: 'Too much is being worked on at once: {whose} limit is {max}. Send this again when one of them is done.',
    zh: '同时处理的内容太多：{whose}的上限是 {max} 个。等其中一个完成后请再发一次。',
  },
  budget_near_tokens: {
    en: '(More than {percent} % of the tokens for today are used: {whose} limit is {max} a day, counted afresh from {time} on.)',
    zh: '（今天的用量已超过 {percent}%：{whose}的上限是每天 {max} 个 token，{time} 重新计算。）',
  },
  budget_near_runs: {
    en: '(More than {percent} % of the answers for this hour are used: {whose} limit is {max} an hour, counted afresh from {time} on.)',
    zh: '（这一小时的回答次数已超过 {percent}%：{whose}的上限是每小时 {max} 次，{time} 重新计算。）',
  },
  budget_whose_person: { en: 'your', zh: '你' },
  budget_whose_chat: { en: "this chat's", zh: '这个聊天' },
  budget_whose_channel: { en: "this channel's", zh: '这个渠道' },
  budget_whose_assistant: { en: "this assistant's", zh: '这个助手' },
  usage_title_person: { en: 'You', zh: '你' },
  usage_title_chat: { en: 'This chat', zh: '这个聊天' },
  usage_today: {
    en: 'Today: {tokens} tokens ({input} in, {output} out), answers: {runs}',
    zh: '今天：{tokens} 个 token（输入 {input}，输出 {output}），{runs} 次回答',
  },
  usage_today_of: {
    en: 'Today: {tokens} of {max} tokens ({input} in, {output} out), answers: {runs}; counted afresh from {time} on',
    zh: '今天：{tokens} / {max} 个 token（输入 {input}，输出 {output}），{runs} 次回答；{time} 重新计算',
  },
  usage_hour_of: { en: 'This hour: {runs} of {max} answers', zh: '这一小时：{runs} / {max} 次回答' },
  usage_now_of: { en: 'At work now: {running} of {max}', zh: '正在处理：{running} / {max}' },
  usage_cost: { en: 'Cost today: {cost}', zh: '今天的费用：{cost}' },
  usage_in_private: {
    en: 'What you yourself have used I tell you in our private chat.',
    zh: '你个人的用量请在私聊中查看。',
  },
  memory_noticed: {
    en: 'Remembered:\n{facts}\n\n/memory undo takes this back.',
    zh: '已记住：\n{facts}\n\n发送 /memory undo 可撤销。',
  },
  memory_about_you: { en: '**What I remember about you**', zh: '**我记住的关于你的内容**' },
  memory_about_group: { en: '**What I remember about this group**', zh: '**我记住的关于这个群的内容**' },
  memory_nothing: { en: 'Nothing so far.', zh: '暂时没有。' },
  memory_usage: {
    en: 'Change it with /memory edit N text, /memory forget N, /memory forget all, /memory undo, /memory export, /memory off or /memory on.',
    zh: '可以使用：/memory edit 编号 内容、/memory forget 编号、/memory forget all、/memory undo、/memory export、/memory off、/memory on。',
  },
  memory_in_private: {
    en: 'What I remember about you yourself I show in our private chat.',
    zh: '关于你个人的内容，请在私聊中查看。',
  },
  memory_is_off: {
    en: 'Memory is turned off; /memory on turns it on.',
    zh: '记忆功能已关闭，发送 /memory on 可开启。',
  },
  memory_unknown: {
    en: 'There is no fact of that number. /memory lists them.',
    zh: '没有这个编号，发送 /memory 查看列表。',
  },
  memory_edited: { en: 'Corrected: {number}. {fact}', zh: '已修改：{number}. {fact}' },
  memory_forgotten: { en: 'Forgotten: {fact}', zh: '已忘记：{fact}' },
  memory_erased: { en: 'All of it is forgotten ({count} {count|fact|facts}).', zh: '已全部忘记（{count} 条）。' },
  memory_off: {
    en: 'I remember nothing any more from now on, and do not use what I know. /memory forget all deletes it.',
    zh: '从现在起我不再记忆，也不会使用已有的记忆。发送 /memory forget all 可全部删除。',
  },
  memory_on: { en: 'I remember again from now on.', zh: '从现在起我会重新开始记忆。' },
  memory_undone: {
    en: 'Taken back: {removed} {removed|fact|facts} removed, {restored} restored.',
    zh: '已撤销：删除 {removed} 条，恢复 {restored} 条。',
  },
  memory_undo_nothing: { en: 'There is nothing to take back.', zh: '没有可以撤销的内容。' },
  memory_not_yours: {
    en: 'Somebody else said that; only they or an operator can change it.',
    zh: '这是别人说的，只有本人或运营人员可以修改。',
  },
  memory_refused: {
    en: 'I do not keep that: it is too long, or looks like a password, a key or the number of a card.',
    zh: '这条内容不能保存：太长，或者像是密码、密钥或卡号。',
  },
  menu_task: { en: 'Hand me a task: /task what to do', zh: '交给我一个任务：/task 要做的事' },
  menu_tasks: { en: 'Show and change tasks', zh: '查看和管理任务' },
  task_unread: {
    en: 'I have not read that message. Send /task as a reply to it.',
    zh: '我没有读到那条消息，请回复它并发送 /task。',
  },
  task_of_message: {
    en: 'Do what the quoted message asks for; I want it as well.',
    zh: '请完成引用的消息中要求的事，这也是我的要求。',
  },
  task_usage: {
    en: 'Say what is to be done: /task what to do. You can also send it as a reply to the message that it is about.',
    zh: '请说明要做什么：/task 要做的事。也可以回复相关的消息来发送。',
  },
  task_state_proposed: { en: 'proposed', zh: '待确认' },
  task_state_accepted: { en: 'accepted', zh: '已接受' },
  task_state_running: { en: 'at work', zh: '进行中' },
  task_state_waiting: { en: 'waiting', zh: '等待中' },
  task_state_done: { en: 'done', zh: '已完成' },
  task_state_failed: { en: 'failed', zh: '失败' },
  task_state_cancelled: { en: 'cancelled', zh: '已取消' },
  task_state_expired: { en: 'expired', zh: '已过期' },
  task_whose: { en: 'for {for}, by {by}', zh: '{for} 委托，{by} 处理' },
  task_by: { en: 'by {by}', zh: '{by} 处理' },
  task_waits_parts: { en: 'Its parts are being worked on.', zh: '各个部分正在处理。' },
  task_parts_over: {
    en: 'All parts of this task are over; what came of them is quoted. Go on with the task.',
    zh: '这个任务的各个部分都已结束，结果见引用。请继续完成任务。',
  },
  task_due: { en: 'due {at}', zh: '{at} 前' },
  task_steps: { en: 'steps: {steps}', zh: '{steps} 步' },
  task_hint: { en: 'To change it: {commands}', zh: '可发送：{commands}' },
  task_button_cancel: { en: 'Cancel', zh: '取消' },
  task_button_accept: { en: 'Go ahead', zh: '开始' },
  task_button_refuse: { en: 'No, leave it', zh: '不用了' },
  task_button_done: { en: 'Done', zh: '完成' },
  task_not_yours: {
    en: 'Only who asked for this task, who has it, and operators can do that.',
    zh: '只有任务的委托人、负责人和运营人员可以这样做。',
  },
  task_unknown: {
    en: 'There is no such task here. /tasks lists them.',
    zh: '这里没有这个任务，发送 /tasks 查看列表。',
  },
  task_ambiguous: { en: 'Several tasks begin like this: {ids}', zh: '有多个任务以此开头：{ids}' },
  task_is_over: { en: 'This task is over: {state}.', zh: '这个任务已经结束：{state}。' },
  task_not_now: { en: 'That does not fit a task that is {state}.', zh: '任务目前是“{state}”，不能这样做。' },
  task_full_perPerson: {
    en: 'You have {most} open tasks already. Wait for one, or cancel one: /tasks',
    zh: '你已有 {most} 个未结束的任务，请等其中一个完成或取消一个：/tasks',
  },
  task_full_perChat: {
    en: 'This chat has {most} open tasks already. Wait for one, or cancel one: /tasks here',
    zh: '这个聊天已有 {most} 个未结束的任务，请等其中一个完成或取消一个：/tasks here',
  },
  task_hops: {
    en: 'This work has been handed on too often already; it ends here.',
    zh: '这项工作已经被转交太多次，到此为止。',
  },
  tasks_open: { en: '**Open tasks**', zh: '**未结束的任务**' },
  tasks_none: { en: 'There are no open tasks.', zh: '没有未结束的任务。' },
  tasks_usage: {
    en: '/tasks lists yours, /tasks here those of this chat. /tasks show, log, cancel, done, answer or assign, with the letters of a task, does the rest.',
    zh: '/tasks 列出你的任务，/tasks here 列出这个聊天的任务。/tasks show、log、cancel、done、answer、assign 加任务编号可查看和操作。',
  },
  task_reminder: {
    en: 'the task “{title}” still waits for your answer. Reply here, or send /tasks answer {id} and your answer.',
    zh: '任务“{title}”还在等你的回答。请回复这条消息，或发送 /tasks answer {id} 加上你的回答。',
  },
  task_reminder_assignee: {
    en: 'the task “{title}” is still yours. When it is done: /tasks done {id}',
    zh: '任务“{title}”还没有完成。完成后请发送 /tasks done {id}',
  },
  task_assign_usage: {
    en: 'Say whose it is to be: /tasks assign {id} and a mention of the person, me, or bot.',
    zh: '请说明交给谁：/tasks assign {id}，加上对人的提及、“我”或“机器人”。',
  },
  task_yours: {
    en: 'the task “{title}” is yours now. When it is done: /tasks done {id}',
    zh: '任务“{title}”现在由你负责。完成后请发送 /tasks done {id}',
  },
  task_changed: { en: '{title}: {state}.', zh: '{title}：{state}。' },
  task_cut: { en: 'The whole is in the file.', zh: '完整内容见附件。' },
  task_answer_hint: {
    en: 'Reply to this message, or send /tasks answer {id} and your answer.',
    zh: '请回复这条消息，或发送 /tasks answer {id} 加上你的回答。',
  },
  menu_at: { en: 'Have something done at a time', zh: '到时间做一件事' },
  menu_every: { en: 'Have something done again and again', zh: '定期做一件事' },
  menu_schedules: { en: 'What is scheduled', zh: '查看日程' },
  at_usage: {
    en: 'Send /at with a time that is yet to come and what to do, such as: /at tomorrow 9:00 remind me of the meeting',
    zh: '请发送 /at 加将来的时间和要做的事，例如：/at 明天9点 提醒我开会',
  },
  every_usage: {
    en: 'Send /every with a rhythm and what to do, such as: /every weekday 9:00 the news in brief',
    zh: '请发送 /every 加周期和要做的事，例如：/every 工作日9点 播报新闻摘要',
  },
  scheduled: { en: 'Scheduled for {when}: {what}', zh: '已安排在 {when}：{what}' },
  schedules: {
    en: 'Scheduled; /schedules pause, resume or remove with a number changes one:',
    zh: '日程，发送 /schedules 暂停、恢复或删除 加编号进行更改：',
  },
  schedules_none: {
    en: 'Nothing is scheduled. /at and /every schedule something.',
    zh: '没有日程。发送 /at 或 /every 可以安排。',
  },
  schedules_usage: {
    en: 'Send /schedules, or /schedules pause, resume or remove with a number.',
    zh: '请发送 /schedules，或 /schedules 暂停、恢复、删除 加编号。',
  },
  schedules_unknown: {
    en: 'Nothing is scheduled under this number. /schedules lists it all.',
    zh: '没有这个编号的日程，发送 /schedules 查看列表。',
  },
  schedules_not_yours: {
    en: 'Somebody else has scheduled this; they or an operator can change it.',
    zh: '这是别人安排的，只有本人或运维人员可以更改。',
  },
  schedules_full: {
    en: 'You have as many schedules as you may have. /schedules remove takes one away.',
    zh: '你的日程数量已达上限，发送 /schedules 删除 可以移除。',
  },
  schedules_paused: { en: 'Paused: {what}', zh: '已暂停：{what}' },
  schedules_resumed: { en: 'It goes on: {what}', zh: '已恢复：{what}' },
  schedules_removed: { en: 'Removed: {what}', zh: '已删除：{what}' },
  schedule_active: { en: 'active', zh: '进行中' },
  schedule_paused: { en: 'paused', zh: '已暂停' },
  schedule_done: { en: 'done', zh: '已完成' },
  schedule_disabled: { en: 'does not run any more', zh: '已停用' },
} as const satisfies Record<string, { readonly en: string; readonly zh: string }>;

export type Language = 'en' | 'zh';
export type Sentence = keyof typeof catalogue;

/** Words a sentence. A placeholder without a value stays visible, so that a test can catch it. */
export function say(
  language: Language,
  sentence: Sentence,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return catalogue[sentence][language].replace(
    /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g,
    (whole, name: string, one?: string, many?: string) => {
      const value = values[name];
      if (value === undefined) return whole;
      return String(many === undefined ? value : Number(value) === 1 ? one : many);
    },
  );
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
