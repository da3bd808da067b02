-- ARGV: key holder. Only the holder gives a claim back, and never one that is completed.
local key = base .. 'claim:' .. ARGV[1]
if redis.call('GET', key) == ARGV[2] then redis.call('DEL', key) end
return 'OK'
