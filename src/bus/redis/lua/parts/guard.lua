-- Every write of a run comes through here. The first answer is nil: go on; the second is what is known of the thread.
-- Otherwise it is the answer to give: `fenced` to a worker that lost the thread, and to an operation that was applied
-- before (the client sends it again when its reply was lost) the answer of the first time.
local function guard(state, token, operation)
  local is = redis.call('HMGET', state, 'tok', 'op', 'answer', 'who', 'taken', 'until', 'cancel', 'attempt', 'steer',
    'burst', 'seq')
  if is[2] == operation then return cmsgpack.unpack(is[3]) end
  if is[1] ~= token then return { 'fenced' } end
  return nil, { who = is[4], taken = tonumber(is[5] or 0), ends = tonumber(is[6] or 0),
    marked = is[7] or is[8] or is[9], burst = is[10], seq = tonumber(is[11] or 0) }
end

-- Remembers the answer, and whatever else is to be written to the thread.
local function answered(state, operation, answer, ...)
  redis.call('HSET', state, 'op', operation, 'answer', cmsgpack.pack(answer), ...)
  return answer
end
