#!lua flags=allow-oom
-- What became of a send. ARGV: token channel place outcome delay pause shown error
-- Answers ok, aside (uncertain, and not to be sent again) or late (the lease had run out, and the delivery lies with the
-- dead letters).
--- @include clock
--- @include memory
--- @include letters
--- @include outbox
--- @include flight
local token, channel, place, outcome = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local delay, pause, shown, problem = tonumber(ARGV[5]), ARGV[6], ARGV[7], ARGV[8]
local head = base .. 'h:' .. place
local now = now_ms()
local is = redis.call('HMGET', head, 'tok', 'last', 'doubted')
if is[1] ~= token then
  if is[3] == token and not is[1] then
    -- It waits to be sent again, and now it is known after all.
    if outcome == 'sent' then
      shift(place, header_of(redis.call('LINDEX', base .. 'q:' .. place, 0)).id)
      go_on(channel, place, now)
    end
    return outcome == 'uncertain' and 'ok' or 'late'
  end
  if is[2] == token and redis.call('HEXISTS', base .. 'dlq', token) == 0 then return 'ok' end
  if outcome == 'sent' then
    -- Now it is known after all.
    redis.call('HDEL', base .. 'dlq', token)
    redis.call('ZREM', base .. 'dlq:order', token)
  end
  return 'late'
end

local answer = 'ok'
local kind, item = landed(channel, place, token)
if kind == 'delivery' then item = redis.call('LINDEX', base .. 'q:' .. place, 0) end
local header = header_of(item)
if shown ~= '' and header.stream then
  redis.call('HSET', base .. 's:' .. header.stream, 'shown', shown)
  redis.call('EXPIRE', base .. 's:' .. header.stream, DAY)
end

-- The platform counted the call at some time between its start and its end: at the latest that may be, as long as that
-- costs no more than a fifth of the window.
local function count_late()
  for _, limit in ipairs(header.limits) do
    local key = base .. 'w:' .. limit.windowMs .. ':' .. limit.scope
    local started = redis.call('ZSCORE', key, token)
    if started then redis.call('ZADD', key, math.min(now, tonumber(started) + limit.windowMs / 5), token) end
  end
end

if outcome ~= 'retry' then count_late() end
if outcome == 'retry' then
  -- The platform did not count it.
  for _, limit in ipairs(header.limits) do
    redis.call('ZREM', base .. 'w:' .. limit.windowMs .. ':' .. limit.scope, token)
  end
  if delay > 0 then redis.call('HSET', head, 'hold', now + delay) end
  if pause ~= '' and delay > 0 and tonumber(redis.call('GET', base .. 'pause:' .. pause) or 0) < now + delay then
    redis.call('SET', base .. 'pause:' .. pause, now + delay, 'PX', delay)
  end
  if kind == 'delivery' then
    redis.call('HINCRBY', head, 'attempt', 1)
  elseif redis.call('HEXISTS', base .. 's:' .. header.stream, 'closed') == 0
    and redis.call('HSETNX', base .. 'd:' .. place, header.stream, item) == 1 then
    redis.call('LPUSH', base .. 'o:' .. place, header.stream)
  end
elseif kind == 'delivery' and outcome == 'uncertain' then
  if unsure(place, token, now, problem, delay) then answer = 'aside' end
elseif kind == 'delivery' then
  shift(place, header.id)
  if outcome == 'dead' then dead_letter(token, 'delivery', now, problem, '"content":' .. body_of(item)) end
end
go_on(channel, place, math.max(now, tonumber(redis.call('HGET', head, 'hold') or 0)))
return answer
