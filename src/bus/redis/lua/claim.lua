#!lua flags=allow-oom
-- A wake-up (thread, generation) reached a worker. ARGV: thread generation worker nonce max-inputs
-- Answers {stale}, {empty, wake-ups} or {run, token, turn, attempt, chat, last commit, cancel reason, taken, inputs}.
--- @include clock
--- @include inbox
--- @include places
local thread, gen, worker, nonce, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local state = base .. 't:' .. thread
local now = now_ms()
local is = redis.call('HMGET', state, 'state', 'gen', 'tok', 'chat', 'commit', 'cancel', 'taken')
if is[2] ~= gen or not (is[1] == 'queued' or is[1] == 'delayed' or is[1] == 'running') then return { 'stale' } end

local chat = is[4]
local inputs = redis.call('LRANGE', base .. 'in:' .. thread, 0, most - 1)
local token = is[3]
-- A token that ends with this nonce is our own: the reply to the first claim was lost on its way.
if not (is[1] == 'running' and string.sub(token or '', -#nonce) == nonce) then
  -- The same wake-up while the thread is running: its worker is gone.
  if is[1] == 'running' then redis.call('HINCRBY', state, 'attempt', 1) end
  if #inputs == 0 then
    local wakes = {}
    rest(thread, chat, now, wakes)
    return { 'empty', wakes }
  end
  token = redis.call('HINCRBY', state, 'fence', 1) .. ':' .. nonce
  redis.call('HINCRBY', state, 'turn', 1)
  redis.call('HSET', state, 'state', 'running', 'worker', worker, 'tok', token)
  -- After a crash `taken` stays what the dead worker had: what came later did not kill it.
  if is[1] ~= 'running' or not is[7] then redis.call('HSET', state, 'taken', seq_of(inputs[#inputs])) end
  redis.call('SADD', base .. 'c:' .. chat, thread)
  redis.call('ZREM', base .. 'queued', thread)
  redis.call('ZADD', base .. 'running', now, thread)
end
local turn = redis.call('HMGET', state, 'turn', 'attempt', 'taken')
return {
  'run', token, tonumber(turn[1]), tonumber(turn[2] or 0), chat, is[5] or '',
  is[6] and string.match(is[6], ':(.*)$') or '', tonumber(turn[3]), inputs,
}
