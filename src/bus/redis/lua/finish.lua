#!lua flags=allow-oom
-- A turn is over: acknowledges its inputs, enqueues its deliveries and sets the thread's next state.
-- ARGV: thread token operation commit error ack-seq go-on max-inputs, then six for each delivery
-- `commit` names the run, or is empty when the turn is given up with `error`: then its inputs become a dead letter.
-- Answers {fenced}, {idle | queued, 0, wake-ups} or {more, turn, {}, inputs}.
--- @include clock
--- @include memory
--- @include inbox
--- @include places
--- @include guard
--- @include letters
--- @include outbox
local thread, token, operation, commit, problem = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local ack, further, most = tonumber(ARGV[6]), ARGV[7] == '1', tonumber(ARGV[8])
local state, inbox = base .. 't:' .. thread, base .. 'in:' .. thread
local now = now_ms()

local function with_inputs(answer)
  if answer[1] == 'more' then
    if redis.call('HGET', state, 'tok') ~= token then return { 'fenced' } end
    answer[4] = redis.call('LRANGE', inbox, 0, most - 1)
  end
  return answer
end

local before = guard(state, token, operation)
if before then return with_inputs(before) end

local gone = acknowledge(thread, ack)
if commit ~= '' then
  redis.call('HSET', state, 'commit', commit)
elseif #gone > 0 then
  local inputs = {}
  for i, item in ipairs(gone) do
    local cut = string.find(item, '\n', 1, true)
    inputs[i] = '{"seq":' .. string.sub(item, 1, cut - 1) .. ',' .. string.sub(item, cut + 2)
  end
  dead_letter(thread .. '.' .. string.gsub(token, ':.*', '') .. '.' .. redis.call('HGET', state, 'turn'), 'turn', now,
    problem, '"thread":' .. cjson.encode(thread) .. ',"chat":' .. cjson.encode(redis.call('HGET', state, 'chat')) ..
    ',"content":[' .. table.concat(inputs, ',') .. ']')
end
redis.call('HDEL', state, 'cancel', 'attempt')
enqueue_all(9, now)

if further and redis.call('LLEN', inbox) > 0 then
  local inputs = redis.call('LRANGE', inbox, 0, most - 1)
  redis.call('HSET', state, 'taken', seq_of(inputs[#inputs]))
  redis.call('ZADD', base .. 'running', now, thread)
  return with_inputs(answered(state, operation, { 'more', redis.call('HINCRBY', state, 'turn', 1), {} }))
end
local wakes = {}
local next_state = rest(thread, redis.call('HGET', state, 'chat'), now, wakes)
return answered(state, operation, { next_state, 0, wakes })
