-- One input into its thread's inbox. ARGV: thread chat dedupe-key item max-inbox
-- Answers {status, seq, state it was found in, wake-ups to add}.
--- @include clock
--- @include memory
--- @include places
local thread, chat, id, item, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local state, inbox = base .. 't:' .. thread, base .. 'in:' .. thread
local now = now_ms()
local is = redis.call('HMGET', state, 'state', 'gen', 'chat')
local found = is[1] or 'idle'

if known(SEEN, id, now) then
  -- The first publish may have died before it could add the wake-up.
  return { 'duplicate', 0, found, found == 'queued' and { thread, tonumber(is[2]) } or {} }
end
if redis.call('LLEN', inbox) >= most then return { 'full', 0, found, {} } end

remember(SEEN, id, now)
local seq = redis.call('HINCRBY', state, 'seq', 1)
redis.call('RPUSH', inbox, seq .. '\n' .. item)
redis.call('HINCRBY', base .. 'count', 'inputs', 1)
local wakes = {}
if found == 'idle' then
  redis.call('HSET', state, 'chat', chat)
  redis.call('PERSIST', state)
  admit(thread, chat, now, wakes)
elseif found == 'delayed' then
  admit(thread, is[3], now, wakes)
end
return { 'accepted', seq, found, wakes }
