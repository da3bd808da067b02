#!lua flags=allow-oom
-- A wake-up (thread, generation) reached a worker. ARGV: thread generation worker nonce
-- Answers {stale}, {none} or {run, token, turn, attempt, last commit, cancel reason, taken, inputs, excused, guilty}.
-- `excused` counts the crashes while other turns ran beside this one, `guilty` says what it did when it crashed alone.
--- @include clock
--- @include inbox
local thread, gen, worker, nonce = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local state = base .. 't:' .. thread
local now = now_ms()
-- BullMQ leaves its marker when it hands a job out, in case there are more. When there are none, whoever waits would only
-- look in vain.
if redis.call('LLEN', base .. 'turns:wait') == 0 then redis.call('ZREM', base .. 'turns:marker', '0') end
local is = redis.call('HMGET', state, 'state', 'gen', 'tok', 'turn', 'attempt', 'commit', 'cancel', 'taken', 'who', 'until', 'burst',
  'excused', 'guilty', 'alone')
local found, token, turn, attempt, taken, who = is[1], is[3], tonumber(is[4] or 0), tonumber(is[5] or 0), is[8], is[9]
if is[2] ~= gen or not (found == 'queued' or found == 'delayed' or found == 'quiet' or found == 'running') then
  return { 'stale' }
end
local wait = found == 'quiet' and tonumber(is[10]) - now or 0
if wait > 0 then
  --- @include wake
  --- @include quiet
  brew(thread, now, wait)
  return { 'none' }
end

local inputs, closed = next_turn(thread, head_of(thread), tonumber(taken or 0))
local cancelled = string.match(is[7] or '', ':(.*)$') or ''

local function answer()
  return { 'run', token, turn, attempt, is[6] or '', cancelled, tonumber(taken), inputs, tonumber(is[12] or 0), is[13] or '' }
end

-- A token that ends with this nonce is our own: the reply to the first claim was lost on its way.
if found == 'running' and string.sub(token or '', -#nonce) == nonce then return answer() end
-- The same wake-up while the thread is running: its worker is gone.
local crashed = found == 'running'
if crashed then
  attempt = redis.call('HINCRBY', state, 'attempt', 1)
  if is[14] then
    redis.call('HDEL', state, 'excused', 'alone')
    redis.call('HSET', state, 'guilty', is[14])
  else
    is[12] = redis.call('HINCRBY', state, 'excused', 1)
  end
end
if #inputs == 0 or is[14] then
  -- Nothing to do; or it has just ended its process alone, and goes behind all others, that may be as suspect.
  --- @include wake
  --- @include quiet
  --- @include places
  redis.call('ZREM', base .. 'queued', thread)
  rest(thread, who, inputs[1], now, 0)
  return { 'none' }
end
if cancelled == 'stop' and taken then
  -- It outlives the worker. What came after what was to be stopped was not meant.
  for i = #inputs, 2, -1 do
    if seq_of(inputs[i]) > tonumber(taken) then inputs[i] = nil end
  end
elseif cancelled ~= '' then
  -- Nothing is active that could be interrupted: the old and the new are answered together.
  redis.call('HDEL', state, 'cancel')
  cancelled = ''
end

local seated = found == 'queued' or crashed
local now_who = who_of(inputs[1])
local channel = channel_of(now_who)
if redis.call('SISMEMBER', base .. 'paused', channel) == 1 then
  --- @include wake
  --- @include quiet
  --- @include places
  if seated then leave(thread, who, now) end
  redis.call('ZREM', base .. 'running', thread)
  redis.call('HDEL', state, 'tok', 'worker')
  redis.call('HSET', state, 'state', 'parked', 'who', now_who)
  redis.call('ZADD', base .. 'parked:' .. channel, now, thread)
  redis.call('ZADD', base .. 'queued', now, thread)
  return { 'none' }
end
if not seated or who ~= now_who then
  --- @include wake
  --- @include quiet
  --- @include places
  if seated then leave(thread, who, now) end
  local waiting = seat(thread, now_who)
  if waiting then
    redis.call('ZREM', base .. 'running', thread)
    redis.call('HDEL', state, 'tok', 'worker')
    hold(thread, now_who, waiting, now)
    return { 'none' }
  end
end

turn = turn + 1
token = turn .. ':' .. nonce
-- After a crash `taken` stays what the dead worker had: what came later did not kill it.
if not (is[12] or is[13]) or not taken then taken = seq_of(inputs[#inputs]) end
redis.call('HSET', state, 'state', 'running', 'worker', worker, 'tok', token, 'turn', turn, 'taken', taken, 'who', now_who)
if is[11] and not closed then redis.call('HDEL', state, 'until', 'burst') end
redis.call('ZREM', base .. 'queued', thread)
redis.call('ZADD', base .. 'running', now, thread)
return answer()
