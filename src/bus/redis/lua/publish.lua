-- One input into its thread's inbox.
-- ARGV: thread dedupe-key policy who rest-of-item max-inbox when-idle when-busy most (the last three: the quiet window)
-- Answers {status, seq, state it was found in, wake-ups to add}.
--- @include clock
--- @include memory
--- @include inbox
--- @include quiet
--- @include places
local thread, id, policy, who, item, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local state, inbox, seen = base .. 't:' .. thread, base .. 'in:' .. thread, base .. 'seen:' .. id
local is = redis.call('HMGET', state, 'state', 'gen', 'turn', 'worker', 'cancel', 'burst', 'until')
local found = is[1] or 'idle'

if not is_new('seen:', id, SEEN_MS) then
  -- The first publish may have died before it could add the wake-up.
  local wakes = {}
  if found == 'queued' or found == 'quiet' then
    wakes = { thread, tonumber(is[2]), found == 'quiet' and math.max(0, tonumber(is[7]) - now_ms()) or 0 }
  end
  return { 'duplicate', 0, found, wakes }
end
if policy == REJECT and found ~= 'idle' then
  redis.call('DEL', seen)
  return { 'busy', 0, found, {} }
end
local seq = redis.call('HINCRBY', state, 'seq', 1)
if redis.call('RPUSH', inbox, seq .. '\t' .. policy .. '\t' .. item) > most then
  redis.call('RPOP', inbox)
  redis.call('HINCRBY', state, 'seq', -1)
  redis.call('DEL', seen)
  return { 'full', 0, found, {} }
end
if found == 'queued' or found == 'held' or found == 'parked' then return { 'accepted', seq, found, {} } end

local now = now_ms()
local wakes = {}

-- When the turn that this input belongs to may begin, as far as its burst is concerned.
local kind, since = string.match(is[6] or '', '^(%a)(%d+)$')
kind, since = kind or (found == 'idle' and 'i' or 'b'), tonumber(since or now)
local interrupts = policy == INTERRUPT and found == 'running'
local window = tonumber(kind == 'i' and ARGV[7] or ARGV[8])
if policy == QUEUE or interrupts or kind == 'n' then window = 0 end
local ends = math.min(now + window, since + tonumber(ARGV[9]))

if found == 'idle' then
  if is[2] then redis.call('PERSIST', state) end
  if ends > now then
    redis.call('HSET', state, 'who', who, 'burst', kind .. since)
    brew(thread, now, ends - now, wakes)
  else
    admit(thread, who, now, wakes)
  end
elseif found == 'quiet' then
  if ends > now then
    redis.call('HSET', state, 'until', ends)
    redis.call('ZADD', base .. 'queued', ends, thread)
  else
    redis.call('HDEL', state, 'until', 'burst')
    admit(thread, who_of(head_of(thread)), now, wakes)
  end
elseif found == 'delayed' then
  admit(thread, who_of(head_of(thread)), now, wakes)
elseif found == 'running' then
  if ends > now then
    redis.call('HSET', state, 'until', ends, 'burst', kind .. since)
  elseif interrupts then
    redis.call('HDEL', state, 'until')
    redis.call('HSET', state, 'burst', 'n' .. now)
  elseif is[6] and (kind ~= 'n' or policy == QUEUE) then
    redis.call('HDEL', state, 'until', 'burst')
  end
  local word = nil
  if policy == STEER then
    redis.call('HSET', state, 'steer', seq)
    word = 'steer'
  elseif interrupts and string.match(is[5] or '', '^%d+') ~= is[3] then
    redis.call('HSET', state, 'cancel', is[3] .. ':interrupt')
    word = 'interrupt'
  end
  if word and is[4] then redis.call('PUBLISH', base .. 'ctl:' .. is[4], thread .. ' ' .. is[3] .. ' ' .. word) end
end
return { 'accepted', seq, found, wakes }
