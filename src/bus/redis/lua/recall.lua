#!lua flags=allow-oom
-- Takes an input back, or changes its payload, unless its turn is active. ARGV: thread dedupe-key (escaped), then the
-- new payload, if any. Answers changed, gone, active, or alone when the active turn has nothing else.
--- @include clock
--- @include inbox
--- @include wake
--- @include quiet
--- @include places
--- @include retire
local thread, key, payload = ARGV[1], ARGV[2], ARGV[3]
local state, inbox = base .. 't:' .. thread, base .. 'in:' .. thread
local now = now_ms()
local found, header, index
for i, item in ipairs(redis.call('LRANGE', inbox, 0, -1)) do
  local head = string.match(item, '^([^\n]*)\n')
  if string.match(head, '\t([^\t]*)$') == key then found, header, index = item, head, i - 1 end
end
if not found then return 'gone' end
local is = redis.call('HMGET', state, 'state', 'taken', 'who')
local taken = tonumber(is[2] or 0)
if is[1] == 'running' and seq_of(found) <= taken then
  local first = redis.call('LRANGE', inbox, 0, 1)
  return first[1] == found and (not first[2] or seq_of(first[2]) > taken) and 'alone' or 'active'
end

if payload then
  redis.call('LSET', inbox, index, header .. '\n' .. payload)
  return 'changed'
end
redis.call('LREM', inbox, 1, found)
redis.call('HINCRBY', state, 'seq', 1)
if is[1] ~= 'running' and redis.call('EXISTS', inbox) == 0 then
  retire(thread, is[3], now)
end
return 'changed'
