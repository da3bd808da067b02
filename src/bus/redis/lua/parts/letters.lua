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

-- The inputs of a turn that is given up, each with who sent it.
local function turn_letter(id, thread, items, now, problem)
  local inputs, senders = {}, {}
  for i, item in ipairs(items) do
    local seq, at, channel, chat, user, payload =
      string.match(item, '^(%d+)\t%a\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t[^\n]*\n(.*)$')
    inputs[i] = '{"seq":' .. seq .. ',"at":' .. at .. ',"payload":' .. payload .. '}'
    senders[i] = '["' .. channel .. '","' .. chat .. '","' .. user .. '"]'
  end
  dead_letter(id, 'turn', now, problem, '"thread":' .. cjson.encode(thread) .. ',"senders":[' ..
    table.concat(senders, ',') .. '],"content":[' .. table.concat(inputs, ',') .. ']')
end
