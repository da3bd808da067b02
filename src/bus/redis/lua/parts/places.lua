-- Fairness: only so many threads of one chat are queued or running at once; the others are `held` and come in, one by
-- one, as places become free. So a busy group with many topics stands in the queue a few times, never hundreds of times.
-- `wakes` collects thread and generation of every wake-up that the caller now has to add.
local PLACES = 4
local IDLE_DAYS = 90

local function admit(thread, chat, now, wakes)
  local state = base .. 't:' .. thread
  local taken = base .. 'c:' .. chat
  redis.call('ZADD', base .. 'queued', now, thread)
  if redis.call('SCARD', taken) >= PLACES and redis.call('SISMEMBER', taken, thread) == 0 then
    redis.call('HSET', state, 'state', 'held')
    redis.call('RPUSH', base .. 'held:' .. chat, thread)
    return
  end
  redis.call('SADD', taken, thread)
  redis.call('HSET', state, 'state', 'queued')
  wakes[#wakes + 1] = thread
  wakes[#wakes + 1] = redis.call('HINCRBY', state, 'gen', 1)
end

local function leave(thread, chat, now, wakes)
  local taken = base .. 'c:' .. chat
  redis.call('SREM', taken, thread)
  while redis.call('SCARD', taken) < PLACES do
    local sibling = redis.call('LPOP', base .. 'held:' .. chat)
    if not sibling then return end
    if redis.call('HGET', base .. 't:' .. sibling, 'state') == 'held' then admit(sibling, chat, now, wakes) end
  end
end

-- The run is over: idle when the inbox is empty, else to the tail of the queue, behind held siblings.
local function rest(thread, chat, now, wakes)
  local state = base .. 't:' .. thread
  redis.call('HDEL', state, 'tok', 'worker')
  redis.call('ZREM', base .. 'running', thread)
  leave(thread, chat, now, wakes)
  if redis.call('LLEN', base .. 'in:' .. thread) > 0 then
    admit(thread, chat, now, wakes)
    return 'queued'
  end
  redis.call('HSET', state, 'state', 'idle')
  redis.call('HDEL', state, 'attempt', 'taken', 'cancel')
  redis.call('ZREM', base .. 'queued', thread)
  redis.call('EXPIRE', state, IDLE_DAYS * 86400)
  return 'idle'
end
