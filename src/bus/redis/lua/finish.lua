#!lua flags=allow-oom
-- A turn is over: acknowledges its inputs, enqueues its deliveries and sets the thread's next state.
-- ARGV: thread token turn commit error ack-seq go-on, then six for each delivery
-- `commit` names the run, or is empty when the turn is given up with `error`: then its inputs become a dead letter.
-- Answers {fenced}, {idle | queued, 0, wake-ups} or {more, turn, {}, inputs}.
--- @include clock
--- @include memory
--- @include inbox
--- @include quiet
--- @include places
--- @include guard
--- @include letters
--- @include outbox
local thread, token, turn, commit, problem = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local ack, further = tonumber(ARGV[6]), ARGV[7] == '1'
local state = base .. 't:' .. thread
local operation = turn .. '/' .. token
local now = now_ms()

local function with_inputs(answer)
  if answer[1] == 'more' then
    if redis.call('HGET', state, 'tok') ~= token then return { 'fenced' } end
    answer[4] = next_turn(thread, MOST_INPUTS)
  end
  return answer
end

local before = guard(state, token, operation)
if before then return with_inputs(before) end

local who = redis.call('HGET', state, 'who')
local channel = split(who)
local gone = acknowledge(thread, ack)
if commit ~= '' then
  redis.call('HSET', state, 'commit', commit)
elseif #gone > 0 then
  turn_letter(thread .. '.' .. turn, thread, gone, now, problem)
end
redis.call('HDEL', state, 'cancel', 'attempt', 'steer')
enqueue_all(8, now)

-- Goes on at once when it may, and when the next turn has the places that this one had.
local head = further and redis.call('LINDEX', base .. 'in:' .. thread, 0)
if head and who_of(head) == who and redis.call('SISMEMBER', base .. 'paused', channel) == 0
  and quiet_ms(thread, now) == 0 then
  local inputs, closed = next_turn(thread, MOST_INPUTS)
  local following = tonumber(turn) + 1
  redis.call('HSET', state, 'taken', seq_of(inputs[#inputs]), 'turn', following)
  if not closed then redis.call('HDEL', state, 'until', 'burst') end
  redis.call('ZADD', base .. 'running', now, thread)
  local answer = answered(state, operation, { 'more', following, {} })
  answer[4] = inputs
  return answer
end
local wakes = {}
return answered(state, operation, { rest(thread, who, now, wakes, true), 0, wakes })
