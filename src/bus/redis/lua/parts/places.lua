-- Fairness: only so many threads of one chat (CHAT_PLACES), and of one user over all chats (USER_PLACES), are queued or
-- running at once. So a busy group with many topics stands in the queue a few times, never hundreds of times.
--   c:<chat>, u:<user>   threads that have a place
--   held:c:<chat>, held:u:<user>   threads that wait for one, by since when; a thread waits in one of them at a time
--   parked:<channel>     threads that wait for the end of their channel's pause; they have no place
-- A thread takes both places or none, so that nobody waits with a place in hand.
-- `who` is channel, chat and user of the input at the head.
local IDLE_DAYS = 90
-- Bounds one script's work; the sweeper looks after who is still held.
local MOST_MOVES = 50

local function split(who)
  return string.match(who, '^([^\t]*)\t([^\t]*)\t([^\t]*)$')
end

local function sit(places, most, thread)
  if redis.call('SADD', places, thread) == 0 or redis.call('SCARD', places) <= most then return true end
  redis.call('SREM', places, thread)
  return false
end

-- Takes both places, or answers where to wait.
local function seat(thread, who)
  local _, chat, user = split(who)
  if not sit(base .. 'c:' .. chat, CHAT_PLACES, thread) then return base .. 'held:c:' .. chat end
  if sit(base .. 'u:' .. user, USER_PLACES, thread) then return nil end
  redis.call('SREM', base .. 'c:' .. chat, thread)
  return base .. 'held:u:' .. user
end

local function hold(thread, who, waiting, now)
  redis.call('HSET', base .. 't:' .. thread, 'state', 'held', 'who', who)
  redis.call('ZADD', waiting, now, thread)
  redis.call('ZADD', base .. 'queued', now, thread)
end

local function queue(thread, who, now)
  local state = base .. 't:' .. thread
  local gen = tonumber(redis.call('HGET', state, 'gen') or 0) + 1
  redis.call('ZADD', base .. 'queued', now, thread)
  redis.call('HSET', state, 'state', 'queued', 'who', who, 'gen', gen)
  wake(thread, gen, now, 0)
end

local function admit(thread, who, now)
  local waiting = seat(thread, who)
  if waiting then hold(thread, who, waiting, now) else queue(thread, who, now) end
end

-- Lets threads in that waited for a place of this chat or user, those first that have waited longest.
local function call_in(kind, name, most, now)
  local waiting = base .. 'held:' .. kind .. name
  for _ = 1, MOST_MOVES do
    if redis.call('SCARD', base .. kind .. name) >= most then return end
    local first = redis.call('ZPOPMIN', waiting)
    if not first[1] then return end
    local is = redis.call('HMGET', base .. 't:' .. first[1], 'state', 'who')
    if is[1] == 'held' then
      local elsewhere = seat(first[1], is[2])
      -- It keeps its age where it waits from now on.
      if elsewhere then redis.call('ZADD', elsewhere, first[2], first[1]) else queue(first[1], is[2], now) end
    end
  end
end

-- Gives the places back.
local function leave(thread, who, now)
  local _, chat, user = split(who)
  redis.call('SREM', base .. 'c:' .. chat, thread)
  redis.call('SREM', base .. 'u:' .. user, thread)
  if redis.call('EXISTS', base .. 'held:c:' .. chat, base .. 'held:u:' .. user) > 0 then
    call_in('c:', chat, CHAT_PLACES, now)
    call_in('u:', user, USER_PLACES, now)
  end
end

-- Nothing waits for the thread any more, nor does it wait for anything.
local function go_idle(thread)
  local state = base .. 't:' .. thread
  redis.call('HDEL', state, 'state', 'who', 'tok', 'worker', 'attempt', 'taken', 'cancel', 'steer', 'until', 'burst')
  redis.call('EXPIRE', state, IDLE_DAYS * 86400)
end

-- A run is over and the thread does not go on at once: idle when the inbox is empty, else, after `wait` for more of a
-- burst, to the tail of the queue, behind held siblings.
local function rest(thread, who, head, now, wait)
  redis.call('ZREM', base .. 'running', thread)
  leave(thread, who, now)
  if not head then
    go_idle(thread)
    return 'idle'
  end
  redis.call('HDEL', base .. 't:' .. thread, 'tok', 'worker')
  if wait > 0 then brew(thread, now, wait) else admit(thread, who_of(head), now) end
  return 'queued'
end
