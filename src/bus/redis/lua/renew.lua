#!lua flags=allow-oom
-- Keeps the runs of one worker. ARGV: lease, then for each run: thread token job lock
-- The token decides: as long as the thread is ours, BullMQ's lock is put back even when it ran out while Redis was
-- away. Answers {thread, token, 'lost' | 'word', turn, 'stop' | 'interrupt' | 'steer'} for each run with news.
--- @include clock
local lease = ARGV[1]
local now = now_ms()
local news = {}
for i = 2, #ARGV, 4 do
  local thread, token, job, lock = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local is = redis.call('HMGET', base .. 't:' .. thread, 'tok', 'cancel', 'steer', 'taken', 'turn')
  if is[1] ~= token then
    news[#news + 1] = { thread, token, 'lost', 0, '' }
  else
    local key = base .. 'turns:' .. job .. ':lock'
    local holder = redis.call('GET', key)
    if not holder or holder == lock then
      redis.call('SET', key, lock, 'PX', lease)
      redis.call('SREM', base .. 'turns:stalled', job)
    end
    redis.call('ZADD', base .. 'running', now, thread)
    if is[2] then
      local turn, reason = string.match(is[2], '^(%d+):(.*)$')
      news[#news + 1] = { thread, token, 'word', tonumber(turn), reason }
    end
    if is[3] and tonumber(is[3]) > tonumber(is[4]) then
      news[#news + 1] = { thread, token, 'word', tonumber(is[5]), 'steer' }
    end
  end
end
return news
