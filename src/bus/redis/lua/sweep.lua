#!lua flags=allow-oom
-- Finds threads whose wake-up is missing: a process died between our script and the adding of the job.
-- ARGV: age for queued threads, age for running ones, limit. Answers wake-ups to add.
--- @include clock
local now = now_ms()
local wakes = {}
local function look(set, age)
  local old = redis.call('ZRANGEBYSCORE', base .. set, '-inf', now - age, 'LIMIT', 0, tonumber(ARGV[3]))
  for _, thread in ipairs(old) do
    local is = redis.call('HMGET', base .. 't:' .. thread, 'state', 'gen')
    if not is[1] or is[1] == 'idle' then
      redis.call('ZREM', base .. set, thread)
    else
      if is[1] ~= 'held' and redis.call('EXISTS', base .. 'turns:' .. thread .. '.' .. is[2]) == 0 then
        wakes[#wakes + 1] = thread
        wakes[#wakes + 1] = tonumber(is[2])
      end
      -- To the back, so that in a long queue everybody is looked at in turn.
      redis.call('ZADD', base .. set, now, thread)
    end
  end
end
look('queued', tonumber(ARGV[1]))
look('running', tonumber(ARGV[2]))
return wakes
