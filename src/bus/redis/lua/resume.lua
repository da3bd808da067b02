#!lua flags=allow-oom
-- Ends a channel's pause. ARGV: channel limit
-- Answers how many threads were let go; to be called again while as many as the limit come.
--- @include clock
--- @include inbox
--- @include wake
--- @include quiet
--- @include places
local channel, limit = ARGV[1], tonumber(ARGV[2])
local now = now_ms()
redis.call('SREM', base .. 'paused', channel)
local parked = redis.call('ZPOPMIN', base .. 'parked:' .. channel, limit)
for i = 1, #parked, 2 do
  local is = redis.call('HMGET', base .. 't:' .. parked[i], 'state', 'who')
  if is[1] == 'parked' then admit(parked[i], is[2], now) end
end
redis.call('PUBLISH', base .. 'wake:' .. channel, '')
return #parked / 2
