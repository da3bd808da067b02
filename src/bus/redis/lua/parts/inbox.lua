-- A thread's inbox, acknowledged as a prefix. An item is its header, a line break and the payload's JSON:
--   <seq> <policy's first letter> <sent at> <channel> <chat> <user> <dedupe key>
-- separated by tabs; the texts are escaped as in JSON, so that they hold neither tab nor line break.
local QUEUE, STEER, INTERRUPT, REJECT = 'q', 's', 'i', 'r'

local function seq_of(item)
  return tonumber(string.match(item, '^%d+'))
end

local function policy_of(item)
  return string.match(item, '^%d+\t(%a)')
end

-- Channel, chat and user of an input, as one text.
local function who_of(item)
  return string.match(item, '^%d+\t%a\t[^\t]*\t([^\t]*\t[^\t]*\t[^\t]*)\t')
end

-- What the next turn is: one input that wants a turn of its own, or all up to the next such one. The second answer
-- says that nothing can join it any more.
local function next_turn(thread, most)
  local inputs = redis.call('LRANGE', base .. 'in:' .. thread, 0, most - 1)
  for i, item in ipairs(inputs) do
    if policy_of(item) == QUEUE then
      for j = #inputs, math.max(i, 2), -1 do inputs[j] = nil end
      return inputs, true
    end
  end
  return inputs, #inputs >= most
end

-- Removes the inputs up to and including `seq`; returns them.
local function acknowledge(thread, seq)
  local inbox = base .. 'in:' .. thread
  local gone = {}
  local head = redis.call('LINDEX', inbox, 0)
  while head and seq_of(head) <= seq do
    gone[#gone + 1] = redis.call('LPOP', inbox)
    head = redis.call('LINDEX', inbox, 0)
  end
  if #gone > 0 then redis.call('HINCRBY', base .. 'count', 'inputs', -#gone) end
  return gone
end
