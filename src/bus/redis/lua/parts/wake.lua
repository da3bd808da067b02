-- A wake-up is a BullMQ job, one for each time that a thread becomes queued: laid out as BullMQ's own script does it, and
-- added in the same step, so that none is missing when a process dies. Its events are left out: nobody reads them.
-- The job's id is the identity of the transition, so that adding one again changes nothing.
local function wake(thread, gen, now, delay)
  local jobs, id = base .. 'turns:', thread .. '.' .. gen
  if redis.call('EXISTS', jobs .. id) == 1 then return end
  redis.call('HSET', jobs .. id, 'name', 'turn', 'data', cjson.encode({ thread = thread, gen = tonumber(gen) }),
    'opts', '{}', 'timestamp', now, 'delay', delay, 'priority', 0)
  if delay > 0 then
    redis.call('ZADD', jobs .. 'delayed', (now + delay) * 4096, id)
    local first = redis.call('ZRANGE', jobs .. 'delayed', 0, 0, 'WITHSCORES')
    redis.call('ZADD', jobs .. 'marker', first[2] / 4096, '1')
  else
    redis.call('LPUSH', jobs .. 'wait', id)
    redis.call('ZADD', jobs .. 'marker', 0, '0')
  end
end
