-- A thread's inbox: `<seq>\n<json>` items, acknowledged as a prefix.
local function seq_of(item)
  return tonumber(string.sub(item, 1, string.find(item, '\n', 1, true) - 1))
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
