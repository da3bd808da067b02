-- A thread's inbox, acknowledged as a prefix. An item is its header, a line break and the payload's JSON:
--   <seq> <policy's first letter> <sent at> <channel> <chat> <user> <dedupe key>
-- separated by tabs; the texts are escaped as in JSON, so that they hold neither tab nor line break.
-- An input's number is its place in the inbox when it comes, added to the thread's `seq`: how many have left the inbox.
-- So numbers only grow, and taking an input in writes nothing but the input.
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

local function channel_of(who)
  return string.match(who, '^[^\t]*')
end

-- What the next turn is, from the input at the head on: one that wants a turn of its own, or all up to the next such one.
-- What was handed out before (up to `taken`) comes together again. The second answer says that nothing can join it any
-- more.
local function next_turn(thread, head, taken)
  if not head then return {}, false end
  local alone = policy_of(head) == QUEUE
  if alone and seq_of(head) >= taken then return { head }, true end
  local inputs = redis.call('LRANGE', base .. 'in:' .. thread, 0, MOST_INPUTS - 1)
  for i = 2, #inputs do
    if seq_of(inputs[i]) > taken and (alone or policy_of(inputs[i]) == QUEUE) then
      for j = #inputs, i, -1 do inputs[j] = nil end
      return inputs, true
    end
  end
  return inputs, alone or #inputs >= MOST_INPUTS
end

local function head_of(thread)
  return redis.call('LINDEX', base .. 'in:' .. thread, 0)
end

-- Removes the inputs up to and including `seq`. Answers them, and what is at the head now.
local function acknowledge(thread, seq)
  local gone, head = {}, head_of(thread)
  while head and seq_of(head) <= seq do
    gone[#gone + 1] = redis.call('LPOP', base .. 'in:' .. thread)
    head = head_of(thread)
  end
  return gone, head
end
