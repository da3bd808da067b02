#!lua flags=allow-oom
-- A turn is over: acknowledges its inputs, enqueues its deliveries and sets the thread's next state.
-- ARGV: thread token turn commit error ack-seq go-on, then six for each delivery
-- `commit` names the run, or is empty when the turn is given up with `error`: then its inputs become a dead letter.
-- Answers {fenced}, {idle | queued} or {more, turn, inputs}.
--- @include inbox
--- @include guard
local thread, token, turn, commit, problem = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local ack, further = tonumber(ARGV[6]), ARGV[7] == '1'
local state = base .. 't:' .. thread
local operation = turn .. '/' .. token

local before, is = guard(state, token, operation)
if before then
  if before[1] == 'more' then
    local now_is = redis.call('HMGET', state, 'tok', 'taken')
    if now_is[1] ~= token then return { 'fenced' } end
    before[3] = next_turn(thread, head_of(thread), tonumber(now_is[2] or 0))
  end
  return before
end

--- @include clock
local now = now_ms()
local gone, head = acknowledge(thread, ack)
if commit == '' and #gone > 0 then
  --- @include letters
  turn_letter(thread .. '.' .. turn, thread, gone, now, problem)
end
if is.marked then redis.call('HDEL', state, 'cancel', 'attempt', 'steer', 'excused', 'guilty', 'alone') end
if #ARGV >= 8 then
  --- @include memory
  --- @include outbox
  enqueue_all(8, now)
end

--- @include wake

--- @include quiet
local changed = { 'seq', is.seq + #gone }
if commit ~= '' then
  changed[3], changed[4] = 'commit', commit
end
local wait = head and quiet_ms(thread, head, is, now) or 0
-- Goes on at once when it may, and when the next turn has the places that this one had.
if head and further and wait == 0 and who_of(head) == is.who
  and redis.call('SISMEMBER', base .. 'paused', channel_of(is.who)) == 0 then
  local inputs, closed = next_turn(thread, head, is.taken)
  local following = tonumber(turn) + 1
  if is.burst and not closed then redis.call('HDEL', state, 'until', 'burst') end
  local answer = answered(state, operation, { 'more', following }, 'turn', following, 'taken', seq_of(inputs[#inputs]),
    unpack(changed))
  answer[3] = inputs
  return answer
end
--- @include places
local next_state = rest(thread, is.who, head, now, wait)
return answered(state, operation, { next_state }, unpack(changed))
