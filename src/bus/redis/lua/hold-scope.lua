#!lua flags=allow-oom
-- Nothing is sent under a scope for a while. ARGV: scope delay
--- @include clock
local key, ends = base .. 'pause:' .. ARGV[1], now_ms() + tonumber(ARGV[2])
if tonumber(redis.call('GET', key) or 0) < ends then redis.call('SET', key, ends, 'PX', ARGV[2]) end
return 'OK'
