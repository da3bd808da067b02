#!lua flags=allow-oom
-- A turn failed: try it again after a while. ARGV: thread token operation delay
-- Answers {fenced}, {queued, 0, wake-ups} or {delayed, generation, wake-ups}.
--- @include clock
--- @include inbox
--- @include places
--- @include guard
local thread, token, operation, delay = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local state = base .. 't:' .. thread
local before = guard(state, token, operation)
if before then return before end

local now = now_ms()
local wakes = {}
redis.call('HINCRBY', state, 'attempt', 1)
local is = redis.call('HMGET', state, 'chat', 'taken')
local newest = redis.call('LINDEX', base .. 'in:' .. thread, -1)
-- What a person has written meanwhile ends the wait before it begins.
if delay <= 0 or not newest or seq_of(newest) > tonumber(is[2]) then
  return answered(state, operation, { rest(thread, is[1], now, wakes), 0, wakes })
end
redis.call('HDEL', state, 'tok', 'worker')
redis.call('HSET', state, 'state', 'delayed')
redis.call('ZREM', base .. 'running', thread)
redis.call('ZADD', base .. 'queued', now + delay, thread)
leave(thread, is[1], now, wakes)
return answered(state, operation, { 'delayed', redis.call('HINCRBY', state, 'gen', 1), wakes })
