-- ARGV: name token ttl; ttl 0 gives it back. Answers 1 when it was still ours.
local key = base .. 'lease:' .. ARGV[1]
if redis.call('GET', key) ~= ARGV[2] then return 0 end
if ARGV[3] == '0' then redis.call('DEL', key) else redis.call('PEXPIRE', key, ARGV[3]) end
return 1
