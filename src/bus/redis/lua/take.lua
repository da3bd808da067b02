#!lua flags=allow-oom
-- What may be sent now, one for each place. ARGV: sender nonce max lease margin, then the channels
-- Answers {milliseconds until something is due or -1, {uncertain ones set aside}, then {token, channel, place, kind, attempt,
-- shown, item} …}.
--- @include clock
--- @include memory
--- @include letters
--- @include outbox
--- @include flight
local sender, nonce, most, lease, margin = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local now = now_ms()
local answer = { -1, {} }

local function hand_out(channel, place, token)
  local is = redis.call('HMGET', base .. 'h:' .. place, 'kind', 'attempt', 'item')
  local item = is[1] == 'draft' and is[3] or redis.call('LINDEX', base .. 'q:' .. place, 0)
  local stream = header_of(item).stream
  local shown = stream and redis.call('HGET', base .. 's:' .. stream, 'shown') or ''
  answer[#answer + 1] = { token, channel, place, is[1], tonumber(is[2] or 0), shown or '', item }
end

-- The same request again: its reply was lost. What it had taken is still his. It may come as late as Redis was away.
local MEMO_S = 3600
local memo = base .. 'sender:' .. sender
local before = redis.call('GET', memo)
if before then
  before = cmsgpack.unpack(before)
  if before[1] == nonce then
    for _, taken in ipairs(before[2]) do
      if redis.call('HGET', base .. 'h:' .. taken[2], 'tok') == taken[3] then
        redis.call('ZADD', base .. 'fl:' .. taken[1], 'XX', now + lease, taken[2])
        hand_out(taken[1], taken[2], taken[3])
      end
    end
    return answer
  end
end

--- @include grace
-- A lease that ran out. Those of a paused channel are ended as well, to wait with the rest.
local channels, spared = {}, graced(now, lease)
for i = 6, #ARGV do
  local channel = ARGV[i]
  local expired = spared and {} or redis.call('ZRANGEBYSCORE', base .. 'fl:' .. channel, '-inf', now, 'LIMIT', 0, 100)
  for _, place in ipairs(expired) do
    local token = redis.call('HGET', base .. 'h:' .. place, 'tok') or ''
    answer[2][#answer[2] + 1] = crash_landed(channel, place, token, now)
  end
  if redis.call('SISMEMBER', base .. 'paused', channel) == 0 then channels[#channels + 1] = channel end
end

local blocked = {}
-- The earliest moment at which this limit lets one more through.
local function free_at(limit, window)
  local key = base .. 'w:' .. limit.windowMs .. ':' .. limit.scope
  local memory = key .. ':' .. limit.count
  if not blocked[memory] then
    local at = tonumber(redis.call('GET', base .. 'pause:' .. limit.scope) or 0)
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
    if redis.call('ZCARD', key) >= limit.count then
      local first = redis.call('ZRANGE', key, -limit.count, -limit.count, 'WITHSCORES')
      at = math.max(at, tonumber(first[2] or now) + window + 1)
    end
    if at <= now then return now end
    blocked[memory] = at
  end
  return blocked[memory]
end

-- The head of the queue; only when there is none, the stand of the stream that has waited longest. A stand whose run
-- is over (taken over, handed back, finished) is thrown away.
local function front(place)
  local item = redis.call('LINDEX', base .. 'q:' .. place, 0)
  if item then return 'delivery', header_of(item), item end
  while true do
    local stream = redis.call('LINDEX', base .. 'o:' .. place, 0)
    if not stream then return nil end
    item = redis.call('HGET', base .. 'd:' .. place, stream)
    if item then
      local header = header_of(item)
      if redis.call('HGET', base .. 't:' .. header.thread, 'tok') == header.token then return 'draft', header, item end
      redis.call('HDEL', base .. 'd:' .. place, stream)
    end
    redis.call('LPOP', base .. 'o:' .. place)
  end
end

local candidates = {}
for _, channel in ipairs(channels) do
  local places = redis.call('ZRANGEBYSCORE', base .. 'due:' .. channel, '-inf', now, 'LIMIT', 0, most * 8)
  for _, place in ipairs(places) do
    local since = tonumber(redis.call('HGET', base .. 'h:' .. place, 'since') or now)
    candidates[#candidates + 1] = { channel = channel, place = place, since = since }
  end
end
-- Under a shared limit all blocked places are due at the same moment: who has waited longest goes first.
table.sort(candidates, function(a, b) return a.since < b.since end)

local taken = {}
for _, candidate in ipairs(candidates) do
  if #taken >= most then break end
  local channel, place = candidate.channel, candidate.place
  local head = base .. 'h:' .. place
  local kind, header, item = front(place)
  if not kind then
    redis.call('ZREM', base .. 'due:' .. channel, place)
    redis.call('HDEL', head, 'since')
  else
    local limits = header.limits
    local at = math.max(now, tonumber(redis.call('HGET', head, 'hold') or 0))
    for _, limit in ipairs(limits) do
      at = math.max(at, free_at(limit, math.ceil(limit.windowMs * margin)))
    end
    if at > now then
      redis.call('ZADD', base .. 'due:' .. channel, at, place)
    else
      local token = sender .. ':' .. nonce .. ':' .. #taken
      for _, limit in ipairs(limits) do
        local key = base .. 'w:' .. limit.windowMs .. ':' .. limit.scope
        redis.call('ZADD', key, now, token)
        redis.call('PEXPIRE', key, math.ceil(limit.windowMs * margin) + 1000)
      end
      redis.call('ZREM', base .. 'due:' .. channel, place)
      redis.call('ZADD', base .. 'fl:' .. channel, now + lease, place)
      redis.call('HSET', head, 'tok', token, 'kind', kind)
      if kind == 'draft' then
        redis.call('HSET', head, 'item', item)
        redis.call('HDEL', base .. 'd:' .. place, header.stream)
        redis.call('LPOP', base .. 'o:' .. place)
      end
      taken[#taken + 1] = { channel, place, token }
      hand_out(channel, place, token)
    end
  end
end
if #taken > 0 then
  redis.call('SET', memo, cmsgpack.pack({ nonce, taken }), 'EX', MEMO_S)
  redis.call('SADD', base .. 'channels', unpack(channels))
end

for _, channel in ipairs(channels) do
  local first = redis.call('ZRANGE', base .. 'due:' .. channel, 0, 0, 'WITHSCORES')
  if first[2] then
    local wait = math.max(0, math.ceil(tonumber(first[2]) - now))
    if answer[1] < 0 or wait < answer[1] then answer[1] = wait end
  end
end
return answer
