-- Ids that must not be taken twice, in one set a window: forgetting is the expiry of a whole set.
-- An id is known for at least `keep` windows after it came.
local SEEN = { name = 'seen:', window = 4 * 3600 * 1000, keep = 3 }
local SENT = { name = 'ids:', window = 12 * 3600 * 1000, keep = 2 }

local function known(memory, id, now)
  local window = math.floor(now / memory.window)
  for back = 0, memory.keep do
    if redis.call('SISMEMBER', base .. memory.name .. (window - back), id) == 1 then return true end
  end
  return false
end

local function remember(memory, id, now)
  local key = base .. memory.name .. math.floor(now / memory.window)
  redis.call('SADD', key, id)
  if redis.call('SCARD', key) == 1 then redis.call('PEXPIRE', key, memory.window * (memory.keep + 1)) end
end
