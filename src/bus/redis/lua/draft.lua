-- The newest stand of an unfinished answer. ARGV: thread token channel place stream item
-- Answers 1 when it will be shown.
--- @include clock
--- @include memory
--- @include outbox
local thread, token, channel, place, stream, item = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if redis.call('HGET', base .. 't:' .. thread, 'tok') ~= token then return 0 end
if redis.call('HEXISTS', base .. 's:' .. stream, 'closed') == 1 then return 0 end
if redis.call('HSET', base .. 'd:' .. place, stream, item) == 1 then
  redis.call('RPUSH', base .. 'o:' .. place, stream)
end
-- Where nobody sends, nobody throws away what is stale.
redis.call('EXPIRE', base .. 'd:' .. place, DAY)
redis.call('EXPIRE', base .. 'o:' .. place, DAY)
if redis.call('EXISTS', base .. 'q:' .. place) == 0 then due(channel, place, now_ms()) end
return 1
