-- Every write of a run comes through here. Nil: go on. Otherwise the answer to give: `fenced` to a worker that lost the
-- thread, and to an operation that was applied before (the client sends it again when its reply was lost) the answer
-- of the first time.
local function guard(state, token, operation)
  local is = redis.call('HMGET', state, 'tok', 'op', 'answer')
  if is[2] == operation then return cmsgpack.unpack(is[3]) end
  if is[1] ~= token then return { 'fenced' } end
end

local function answered(state, operation, answer)
  redis.call('HSET', state, 'op', operation, 'answer', cmsgpack.pack(answer))
  return answer
end
