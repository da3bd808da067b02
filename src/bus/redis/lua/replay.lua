-- Puts a dead letter back where it came from. ARGV: id, then `turn` thread items… or `delivery` channel place
-- header body. Answers 0 when it is not there, else 1.
--- @include clock
--- @include memory
--- @include inbox
--- @include wake
--- @include quiet
--- @include places
--- @include outbox
local id, kind = ARGV[1], ARGV[2]
if redis.call('HDEL', base .. 'dlq', id) == 0 then return 0 end
redis.call('ZREM', base .. 'dlq:order', id)
local now = now_ms()
if kind == 'delivery' then
  push(ARGV[3], ARGV[4], ARGV[5], ARGV[6], now)
else
  local thread = ARGV[3]
  local state, inbox = base .. 't:' .. thread, base .. 'in:' .. thread
  local newest = (redis.call('HGET', state, 'seq') or 0) + redis.call('LLEN', inbox)
  for i = 4, #ARGV do redis.call('RPUSH', inbox, (newest + i - 3) .. '\t' .. ARGV[i]) end
  local found = redis.call('HGET', state, 'state') or 'idle'
  if found == 'idle' then redis.call('PERSIST', state) end
  if found == 'idle' or found == 'delayed' then admit(thread, who_of(head_of(thread)), now) end
end
return 1
