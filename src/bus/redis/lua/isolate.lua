#!lua flags=allow-oom
-- From here on the turn is alone in its process. ARGV: thread token what-it-does. Answers whether it is still ours.
local state = base .. 't:' .. ARGV[1]
if redis.call('HGET', state, 'tok') ~= ARGV[2] then return 0 end
redis.call('HSET', state, 'alone', ARGV[3])
return 1
