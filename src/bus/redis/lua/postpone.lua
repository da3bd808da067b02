#!lua flags=allow-oom
-- A turn failed: try it again after a while. ARGV: thread token operation delay attempts
-- Answers {fenced} or {queued | delayed}.
--- @include clock
--- @include inbox
--- @include wake
--- @include quiet
--- @include places
--- @include guard
local thread, token, operation, delay = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local state = base .. 't:' .. thread
local before, is = guard(state, token, operation)
if before then return before end

local now = now_ms()
redis.call('HINCRBY', state, 'attempt', ARGV[5])
-- A turn that was tried before waits for nothing but its retry.
redis.call('HDEL', state, 'until', 'burst')
local newest = redis.call('LINDEX', base .. 'in:' .. thread, -1)
-- What a person has written meanwhile ends the wait before it begins.
if delay <= 0 or not newest or seq_of(newest) > is.taken then
  return answered(state, operation, { rest(thread, is.who, head_of(thread), now, 0) })
end
redis.call('HDEL', state, 'tok', 'worker', 'alone')
redis.call('HSET', state, 'state', 'delayed')
redis.call('ZREM', base .. 'running', thread)
redis.call('ZADD', base .. 'queued', now + delay, thread)
leave(thread, is.who, now)
wake(thread, redis.call('HINCRBY', state, 'gen', 1), now, delay)
return answered(state, operation, { 'delayed' })
