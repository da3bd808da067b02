-- The outbox of a place (`<channel>/<chat>`):
--   q:<place>   deliveries, `<enqueued at>\n<header json>\n<delivery json>`, the head is the next to go
--   d:<place>   newest stand of each unfinished stream; o:<place> their order
--   h:<place>   what is in flight (tok kind …), attempts and hold of the head. May expire: then nothing is in flight
--   s:<stream>  message ids shown, and whether the stream is closed
--   due:<channel>, fl:<channel>   places by when they may send, and places in flight by the end of their lease
local DAY = 86400

-- The place has something new at its front; take.lua works out when it may really go.
local function due(channel, place, now)
  if redis.call('HEXISTS', base .. 'h:' .. place, 'tok') == 1 then return end
  redis.call('ZADD', base .. 'due:' .. channel, now, place)
  redis.call('HSETNX', base .. 'h:' .. place, 'since', now)
  redis.call('EXPIRE', base .. 'h:' .. place, 2 * DAY)
  redis.call('PUBLISH', base .. 'wake:' .. channel, '')
end

local function push(channel, place, header, body, now)
  redis.call('HINCRBY', base .. 'count', 'deliveries', 1)
  if redis.call('RPUSH', base .. 'q:' .. place, now .. '\n' .. header .. '\n' .. body) == 1 then
    due(channel, place, now)
  end
end

-- `closes`: the stream that this delivery ends, or empty.
local function enqueue(channel, place, id, closes, header, body, now)
  if not is_new('ids:', id, SENT_MS) then return end
  if closes ~= '' then
    redis.call('HSET', base .. 's:' .. closes, 'closed', 1)
    redis.call('EXPIRE', base .. 's:' .. closes, DAY)
    redis.call('HDEL', base .. 'd:' .. place, closes)
  end
  push(channel, place, header, body, now)
end

-- Deliveries in the arguments, six each, from `from` on.
local function enqueue_all(from, now)
  for i = from, #ARGV, 6 do
    enqueue(ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4], ARGV[i + 5], now)
  end
end
