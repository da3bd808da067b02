-- Inputs into their threads' inboxes. Several at once, because most of what one costs is the call.
-- ARGV: for each input its thread, its dedupe key, itself without its number, and its quiet window: `<when idle> <when
-- busy> <most>` in milliseconds, or nothing.
-- Answers for each {status, seq, state it was found in}, or {error, what}.
--- @include memory

-- Finds out when the turn that an input belongs to may begin, and sees to it.
local function arrange(thread, item, seq, found, burst, window)
  --- @include clock
  --- @include inbox
  local state, policy = base .. 't:' .. thread, policy_of(item)
  local now = now_ms()
  local is = redis.call('HMGET', state, 'gen', 'turn', 'worker', 'cancel')

  -- As far as its burst is concerned.
  local kind, since = string.match(burst or '', '^(%a)(%d+)$')
  kind, since = kind or (found == 'idle' and 'i' or 'b'), tonumber(since or now)
  local interrupts = policy == INTERRUPT and found == 'running'
  local when_idle, when_busy, most = string.match(window, '^(%d+) (%d+) (%d+)$')
  local wait = tonumber((kind == 'i' and when_idle or when_busy) or 0)
  if policy == QUEUE or interrupts or kind == 'n' then wait = 0 end
  local ends = math.min(now + wait, since + tonumber(most or 0))

  if found == 'running' then
    if ends > now then
      redis.call('HSET', state, 'until', ends, 'burst', kind .. since)
    elseif interrupts then
      redis.call('HDEL', state, 'until')
      redis.call('HSET', state, 'burst', 'n' .. now)
    elseif burst and (kind ~= 'n' or policy == QUEUE) then
      redis.call('HDEL', state, 'until', 'burst')
    end
    local word = nil
    if policy == STEER then
      redis.call('HSET', state, 'steer', seq)
      word = 'steer'
    elseif interrupts and string.match(is[4] or '', '^%d+') ~= is[2] then
      redis.call('HSET', state, 'cancel', is[2] .. ':interrupt')
      word = 'interrupt'
    end
    if word and is[3] then redis.call('PUBLISH', base .. 'ctl:' .. is[3], thread .. ' ' .. is[2] .. ' ' .. word) end
    return
  end

  --- @include wake

  --- @include quiet
  --- @include places
  if found == 'idle' then
    if is[1] then redis.call('PERSIST', state) end
    local who = who_of(item)
    if ends > now then
      redis.call('HSET', state, 'who', who, 'burst', kind .. since)
      brew(thread, now, ends - now)
    else
      admit(thread, who, now)
    end
  elseif found == 'quiet' then
    if ends > now then
      redis.call('HSET', state, 'until', ends)
      redis.call('ZADD', base .. 'queued', ends, thread)
    else
      redis.call('HDEL', state, 'until', 'burst')
      admit(thread, who_of(head_of(thread)), now)
    end
  elseif found == 'delayed' then
    admit(thread, who_of(head_of(thread)), now)
  end
end

local function publish(thread, id, item, window)
  local state, inbox = base .. 't:' .. thread, base .. 'in:' .. thread
  local is = redis.call('HMGET', state, 'state', 'seq', 'burst')
  local found, burst = is[1] or 'idle', is[3]

  if not is_new('seen:', id, SEEN_MS) then return { 'duplicate', 0, found } end
  local policy = string.sub(item, 1, 1)
  local waiting = redis.call('LLEN', inbox)
  local refusal = policy == 'r' and found ~= 'idle' and 'busy' or waiting >= MOST_WAITING and 'full'
  if refusal then
    redis.call('DEL', base .. 'seen:' .. id)
    return { refusal, 0, found }
  end
  local seq = (is[2] or 0) + waiting + 1
  item = seq .. '\t' .. item
  redis.call('RPUSH', inbox, item)
  -- In a busy hour most inputs come to threads on which they change nothing.
  local waits = found == 'queued' or found == 'held' or found == 'parked'
  if not waits and not (found == 'running' and policy == 'q' and not burst) then
    arrange(thread, item, seq, found, burst, window)
  end
  return { 'accepted', seq, found }
end

local answers = {}
for i = 1, #ARGV, 4 do
  -- What is wrong with one must not be the others' fault.
  local went, answer = pcall(publish, ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3])
  if not went then answer = { 'error', type(answer) == 'table' and answer.err or tostring(answer) } end
  answers[#answers + 1] = answer
end
return answers
