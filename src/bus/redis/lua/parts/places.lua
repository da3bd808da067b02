-- Fairness: only so many threads of one chat (CHAT_PLACES), and of one user over all chats (USER_PLACES), are queued or
-- running at once. So a busy group with many topics stands in the queue a few times, never hundreds of times.
--   c:<chat>, u:<user>   threads that have a place
--   held:c:<chat>, held:u:<user>   threads that wait for one, by since when; a thread waits in one of them at a time
--   parked:<channel>     threads that wait for the end of their channel's pause; they have no place
-- A thread takes both places or none, so that nobody waits with a place in hand; but see `pass_over`.
--   keeper:<chat>        the thread that waits with a place of the chat
-- `who` is channel, chat and user of the input at the head.
local IDLE_DAYS = 90
-- Bounds one script's work; the sweeper looks after who is still held.
local MOST_MOVES = 50
local MOST_PASSES = 3

local function split(who)
  return string.match(who, '^([^\t]*)\t([^\t]*)\t([^\t]*)$')
end

-- The second answer says that it sat there before.
local function sit(places, most, thread)
  if redis.call('SADD', places, thread) == 0 then return true, true end
  if redis.call('SCARD', places) <= most then return true, false end
  redis.call('SREM', places, thread)
  return false
end

-- Takes both places, or answers where to wait.
local function seat(thread, who)
  local _, chat, user = split(who)
  local free, kept = sit(base .. 'c:' .. chat, CHAT_PLACES, thread)
  if not free then return base .. 'held:c:' .. chat end
  if sit(base .. 'u:' .. user, USER_PLACES, thread) then return nil end
  if not kept then redis.call('SREM', base .. 'c:' .. chat, thread) end
  return base .. 'held:u:' .. user
end

local function hold(thread, who, waiting, now)
  redis.call('HSET', base .. 't:' .. thread, 'state', 'held', 'who', who)
  -- Of those that come within a millisecond, too, the first is to be the first.
  local order = redis.call('HINCRBY', base .. 'count', 'held', 1) % 1000
  redis.call('ZADD', waiting, now + order / 1000, thread)
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

-- It was its turn, and the other place was taken. After a few times it keeps the chat's place while it waits for the
-- user's, one thread of a chat at a time: otherwise two places that are never free at once would keep it out for ever.
local function pass_over(thread, who, elsewhere, since)
  -- It keeps its age where it waits from now on.
  redis.call('ZADD', elsewhere, since, thread)
  local times = redis.call('HINCRBY', base .. 't:' .. thread, 'passed', 1)
  local _, chat, user = split(who)
  if times < MOST_PASSES or elsewhere ~= base .. 'held:u:' .. user then return end
  local keeper = redis.call('GET', base .. 'keeper:' .. chat)
  local keeps = keeper and redis.call('HGET', base .. 't:' .. keeper, 'state') == 'held'
    and redis.call('SISMEMBER', base .. 'c:' .. chat, keeper) == 1
  if keeps then return end
  redis.call('SET', base .. 'keeper:' .. chat, thread, 'EX', 86400)
  redis.call('SADD', base .. 'c:' .. chat, thread)
end

-- The thread that has waited longest for a place, if there is one free.
local function first_of(kind, name, most)
  if redis.call('SCARD', base .. kind .. name) >= most then return nil end
  local waiting = base .. 'held:' .. kind .. name
  local first = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
  return first[1] and { waiting = waiting, thread = first[1], since = tonumber(first[2]) }
end

-- Lets threads in that waited for a place of this chat or user, those first that have waited longest.
local function call_in(chat, user, now)
  for _ = 1, MOST_MOVES do
    local first, other = first_of('c:', chat, CHAT_PLACES), first_of('u:', user, USER_PLACES)
    if not first or other and other.since < first.since then first = other end
    if not first then return end
    local thread = first.thread
    redis.call('ZREM', first.waiting, thread)
    local is = redis.call('HMGET', base .. 't:' .. thread, 'state', 'who')
    if is[1] == 'held' then
      local elsewhere = seat(thread, is[2])
      if elsewhere then pass_over(thread, is[2], elsewhere, first.since) else queue(thread, is[2], now) end
    end
  end
end

-- Gives the places back.
local function leave(thread, who, now)
  local _, chat, user = split(who)
  redis.call('SREM', base .. 'c:' .. chat, thread)
  redis.call('SREM', base .. 'u:' .. user, thread)
  if redis.call('EXISTS', base .. 'held:c:' .. chat, base .. 'held:u:' .. user) > 0 then call_in(chat, user, now) end
end

-- Nothing waits for the thread any more, nor does it wait for anything.
local function go_idle(thread)
  local state = base .. 't:' .. thread
  redis.call('HDEL', state, 'state', 'who', 'tok', 'worker', 'attempt', 'taken', 'cancel', 'steer', 'until', 'burst',
    'passed', 'excused', 'guilty', 'alone')
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
  redis.call('HDEL', base .. 't:' .. thread, 'tok', 'worker', 'alone')
  if wait > 0 then brew(thread, now, wait) else admit(thread, who_of(head), now) end
  return 'queued'
end
