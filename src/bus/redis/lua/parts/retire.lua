-- Nothing is left of what a thread waited for, and no run has it: it waits for nothing any more, wherever it did.
local function retire(thread, who, now)
  local channel, chat, user = split(who)
  redis.call('ZREM', base .. 'held:c:' .. chat, thread)
  redis.call('ZREM', base .. 'held:u:' .. user, thread)
  redis.call('ZREM', base .. 'parked:' .. channel, thread)
  leave(thread, who, now)
  redis.call('ZREM', base .. 'queued', thread)
  go_idle(thread)
end
