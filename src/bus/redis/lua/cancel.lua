#!lua flags=allow-oom
-- ARGV: thread reason. The flag outlives the worker; the message is only there to be quick. Answers 1 when a run is
-- active.
local state = base .. 't:' .. ARGV[1]
local is = redis.call('HMGET', state, 'state', 'worker', 'turn')
if is[1] ~= 'running' then return 0 end
redis.call('HSET', state, 'cancel', is[3] .. ':' .. ARGV[2])
-- One whose worker was buried has none until it is claimed.
if is[2] then redis.call('PUBLISH', base .. 'ctl:' .. is[2], ARGV[1] .. ' ' .. is[3] .. ' ' .. ARGV[2]) end
return 1
