-- Bursts: a thread becomes queued only when nothing more has come for a while. `until` is when that is, `burst` what the
-- next turn's wait is counted by: `i` or `b` (its first input found the thread idle or busy) and when that one came; or
-- `n`: it does not wait, since somebody interrupts. Both are kept only where they matter. State `quiet` is a thread that does nothing else; its wake-up is set for the end
-- of the window as it was when it began to wait, and is put off by claim.lua when more has come meanwhile.
local function brew(thread, now, wait)
  local state = base .. 't:' .. thread
  redis.call('HSET', state, 'state', 'quiet', 'until', now + wait)
  redis.call('ZADD', base .. 'queued', now + wait, thread)
  wake(thread, redis.call('HINCRBY', state, 'gen', 1), now, wait)
end

-- How long the turn at the head still waits. One that nothing can join, or that was tried before, waits for nothing.
local function quiet_ms(thread, head, is, now)
  if is.ends <= now or seq_of(head) <= is.taken then return 0 end
  local _, closed = next_turn(thread, head, is.taken)
  return closed and 0 or is.ends - now
end
