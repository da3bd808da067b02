#!lua flags=allow-oom
-- Hands over what a dead process had in hand: its runs and its sends. ARGV: its id
-- Answers how many uncertain deliveries were set aside.
--- @include clock
--- @include wake
--- @include memory
--- @include letters
--- @include outbox
--- @include flight
local worker = ARGV[1]
local now = now_ms()
for _, thread in ipairs(redis.call('ZRANGE', base .. 'running', 0, -1)) do
  local state = base .. 't:' .. thread
  local is = redis.call('HMGET', state, 'state', 'worker', 'gen')
  if is[1] == 'running' and is[2] == worker then
    -- Still `running`, so that whoever claims it knows that a worker has died; the old wake-up does nothing any more.
    redis.call('HDEL', state, 'tok', 'worker')
    redis.call('DEL', base .. 'turns:' .. thread .. '.' .. is[3] .. ':lock')
    wake(thread, redis.call('HINCRBY', state, 'gen', 1), now, 0)
  end
end
local uncertain = 0
-- All channels of which something was ever sent.
for _, channel in ipairs(redis.call('SMEMBERS', base .. 'channels')) do
  for _, place in ipairs(redis.call('ZRANGE', base .. 'fl:' .. channel, 0, -1)) do
    local token = redis.call('HGET', base .. 'h:' .. place, 'tok') or ''
    if string.sub(token, 1, #worker + 1) == worker .. ':' then
      if crash_landed(channel, place, token, now) then uncertain = uncertain + 1 end
    end
  end
  redis.call('PUBLISH', base .. 'wake:' .. channel, '')
end
return uncertain
