#!lua flags=allow-oom
-- Wakes threads again whose wake-up is missing, e.g. because BullMQ gave it up. Looks as well
-- after those that wait for a place or for the end of a pause, in case nobody called them.
-- ARGV: age for queued threads, age for running ones, limit. Answers how many were missing.
--- @include clock
--- @include inbox
--- @include wake
--- @include quiet
--- @include places
local now = now_ms()
local missing = 0

local function look_after(thread, is)
  local state, who = is[1], is[3]
  if state == 'held' or (state == 'parked' and redis.call('SISMEMBER', base .. 'paused', (split(who))) == 0) then
    if seat(thread, who) then return end
    local channel, chat, user = split(who)
    redis.call('ZREM', base .. 'held:c:' .. chat, thread)
    redis.call('ZREM', base .. 'held:u:' .. user, thread)
    redis.call('ZREM', base .. 'parked:' .. channel, thread)
    queue(thread, who, now)
  elseif state ~= 'parked' and redis.call('EXISTS', base .. 'turns:' .. thread .. '.' .. is[2]) == 0 then
    wake(thread, is[2], now, 0)
    missing = missing + 1
  end
end

local function look(set, age)
  local old = redis.call('ZRANGEBYSCORE', base .. set, '-inf', now - age, 'LIMIT', 0, tonumber(ARGV[3]))
  for _, thread in ipairs(old) do
    local is = redis.call('HMGET', base .. 't:' .. thread, 'state', 'gen', 'who')
    if not is[1] then
      redis.call('ZREM', base .. set, thread)
    else
      -- To the back, so that in a long queue everybody is looked at in turn.
      redis.call('ZADD', base .. set, now, thread)
      look_after(thread, is)
    end
  end
end
look('queued', tonumber(ARGV[1]))
look('running', tonumber(ARGV[2]))
return missing
