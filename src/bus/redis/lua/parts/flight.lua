-- Ends of a send.
local function body_of(item)
  local first = string.find(item, '\n', 1, true)
  return string.sub(item, string.find(item, '\n', first + 1, true) + 1)
end

local function header_of(item)
  local first = string.find(item, '\n', 1, true)
  local second = string.find(item, '\n', first + 1, true)
  return cjson.decode(string.sub(item, first + 1, second - 1))
end

-- Forgets what is in flight; returns kind and item.
local function landed(channel, place, token)
  local head = base .. 'h:' .. place
  local is = redis.call('HMGET', head, 'kind', 'item')
  redis.call('HDEL', head, 'tok', 'kind', 'item', 'since')
  redis.call('HSET', head, 'last', token)
  redis.call('EXPIRE', head, 2 * DAY)
  redis.call('ZREM', base .. 'fl:' .. channel, place)
  return is[1], is[2]
end

-- Takes the head off the queue for good.
local function shift(place, id, now)
  redis.call('LPOP', base .. 'q:' .. place)
  redis.call('HDEL', base .. 'h:' .. place, 'attempt', 'hold')
  redis.call('HINCRBY', base .. 'count', 'deliveries', -1)
  remember(SENT, id, now)
end

-- Makes the place due again when it has more to send.
local function go_on(channel, place, now)
  if redis.call('EXISTS', base .. 'q:' .. place, base .. 'o:' .. place) > 0 then
    redis.call('ZADD', base .. 'due:' .. channel, now, place)
    redis.call('HSET', base .. 'h:' .. place, 'since', now)
  end
end
