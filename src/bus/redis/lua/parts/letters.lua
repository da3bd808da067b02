-- Dead letters are JSON that is put together as text: a document that went through cjson would come back changed
-- (empty arrays as objects).
local MOST_LETTERS = 10000

local function dead_letter(id, kind, now, problem, members)
  redis.call('HSET', base .. 'dlq', id,
    '{"kind":"' .. kind .. '","at":' .. now .. ',"error":' .. cjson.encode(problem) .. ',' .. members .. '}')
  redis.call('ZADD', base .. 'dlq:order', redis.call('HINCRBY', base .. 'count', 'letter', 1), id)
  for _, oldest in ipairs(redis.call('ZRANGE', base .. 'dlq:order', 0, -MOST_LETTERS - 1)) do
    redis.call('ZREM', base .. 'dlq:order', oldest)
    redis.call('HDEL', base .. 'dlq', oldest)
  end
end
