#!lua flags=allow-oom
-- Hands the active turn what has come to steer it, up to the first input of another policy.
-- ARGV: thread token newest-in-hand. Answers the inputs; asked again, it answers the same.
--- @include inbox
local thread, token, after = ARGV[1], ARGV[2], tonumber(ARGV[3])
local state = base .. 't:' .. thread
if redis.call('HGET', state, 'tok') ~= token then return {} end
local inputs = {}
for _, item in ipairs(redis.call('LRANGE', base .. 'in:' .. thread, 0, -1)) do
  if seq_of(item) > after then
    if policy_of(item) ~= STEER then break end
    inputs[#inputs + 1] = item
  end
end
if #inputs > 0 then redis.call('HSET', state, 'taken', seq_of(inputs[#inputs])) end
return inputs
