-- Bursts: a thread becomes queued only when nothing more has come for a while. `until` is when that is, `burst` what the
-- next turn's wait is counted by: `i` or `b` (its first input found the thread idle or busy) and when that one came. Both
-- are kept only where somebody waits. State `quiet` is a thread that does nothing else; its wake-up is set for the end
-- of the window as it was when it began to wait, and is put off by claim.lua when more has come meanwhile.
local function brew(thread, now, wait, wakes)
  local state = base .. 't:' .. thread
  redis.call('HSET', state, 'state', 'quiet', 'until', now + wait)
  redis.call('ZADD', base .. 'queued', now + wait, thread)
  wakes[#wakes + 1] = thread
  wakes[#wakes + 1] = redis.call('HINCRBY', state, 'gen', 1)
  wakes[#wakes + 1] = wait
end

-- How long the turn at the head still waits. One that nothing can join waits for nothing.
local function quiet_ms(thread, now)
  local ends = tonumber(redis.call('HGET', base .. 't:' .. thread, 'until') or 0)
  if ends <= now then return 0 end
  local _, closed = next_turn(thread, MOST_INPUTS)
  return closed and 0 or ends - now
end
