#!lua flags=allow-oom
-- Takes back all inputs whose turn is not active. ARGV: thread. Answers how many they were.
--- @include clock
--- @include inbox
--- @include wake
--- @include quiet
--- @include places
--- @include retire
local thread = ARGV[1]
local state, inbox = base .. 't:' .. thread, base .. 'in:' .. thread
local is = redis.call('HMGET', state, 'state', 'taken', 'who')
local active = is[1] == 'running' and tonumber(is[2] or 0) or 0
local gone = 0
while true do
  local newest = redis.call('LINDEX', inbox, -1)
  if not newest or seq_of(newest) <= active then break end
  redis.call('RPOP', inbox)
  gone = gone + 1
end
if gone == 0 then return 0 end
redis.call('HINCRBY', state, 'seq', gone)
if is[1] == 'running' then
  redis.call('HDEL', state, 'until', 'burst')
elseif is[3] then
  retire(thread, is[3], now_ms())
end
return gone
