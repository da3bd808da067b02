-- Ends of a send.
-- An edit whose sender dies again and again may be what kills it.
local MOST_EDITS = 5

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
local function shift(place, id)
  redis.call('LPOP', base .. 'q:' .. place)
  redis.call('HDEL', base .. 'h:' .. place, 'attempt', 'hold', 'doubted')
  redis.call('HINCRBY', base .. 'count', 'deliveries', -1)
  redis.call('SET', base .. 'ids:' .. id, '', 'PX', SENT_MS)
end

-- Makes the place due again when it has more to send.
local function go_on(channel, place, now)
  if redis.call('EXISTS', base .. 'q:' .. place, base .. 'o:' .. place) > 0 then
    redis.call('ZADD', base .. 'due:' .. channel, now, place)
    redis.call('HSET', base .. 'h:' .. place, 'since', now)
  end
end

-- Nobody knows whether the head of the queue was sent. While it is young enough it is tried again, else it is set aside.
-- Answers whether it was set aside.
local function unsure(place, token, now, problem, delay)
  local head = base .. 'h:' .. place
  local item = redis.call('LINDEX', base .. 'q:' .. place, 0)
  local header = header_of(item)
  if now < (header.again or 0) then
    redis.call('HINCRBY', head, 'attempt', 1)
    -- Should its sender report after all, it need not be sent again.
    redis.call('HSET', head, 'doubted', token, 'hold', now + delay)
    return false
  end
  shift(place, header.id)
  dead_letter(token, 'uncertain', now, problem, '"content":' .. body_of(item))
  return true
end

-- Does the stream show this part already? Then sending it is an edit, and one that may have been done can be done again.
local function is_edit(header)
  local shown = header.part and redis.call('HGET', base .. 's:' .. header.stream, 'shown')
  if not shown or shown == '' then return false end
  return (cjson.decode(shown)[header.part + 1] or '') ~= ''
end

-- Ends a send whose sender died between the platform's answer and ours, or before. Answers the delivery if it was set
-- aside.
local function crash_landed(channel, place, token, now)
  local aside
  if landed(channel, place, token) == 'delivery' then
    local head = base .. 'h:' .. place
    local item = redis.call('LINDEX', base .. 'q:' .. place, 0)
    if is_edit(header_of(item)) and tonumber(redis.call('HGET', head, 'attempt') or 0) < MOST_EDITS then
      redis.call('HINCRBY', head, 'attempt', 1)
      redis.call('HSET', head, 'doubted', token, 'hold', now)
    elseif unsure(place, token, now, 'The sender did not report back in time.', 0) then
      aside = body_of(item)
    end
  end
  go_on(channel, place, now)
  return aside
end
