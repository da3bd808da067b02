#!lua flags=allow-oom
-- A sender lives and is still at these sends. ARGV: lease, then channel, place and token of each
--- @include clock
--- @include grace
local lease, now = tonumber(ARGV[1]), now_ms()
graced(now, lease)
for i = 2, #ARGV, 3 do
  local channel, place, token = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if redis.call('HGET', base .. 'h:' .. place, 'tok') == token then
    redis.call('ZADD', base .. 'fl:' .. channel, 'XX', now + lease, place)
  end
end
return 'OK'
