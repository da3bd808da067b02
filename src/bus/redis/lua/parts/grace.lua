-- Senders show themselves at least every second, or Redis was away from all of them. Then the leases of those that live
-- have run out like those of the dead, and they know what became of their sends: they get one lease to say so.
local GAP_MS = 3000

-- Notes that a sender is here; answers whether no lease is to be ended yet.
local function graced(now, lease)
  local seen = tonumber(redis.call('GET', base .. 'senders') or 0)
  if now - seen > GAP_MS then redis.call('SET', base .. 'grace', '', 'PX', lease) end
  if now - seen > GAP_MS / 6 then redis.call('SET', base .. 'senders', now, 'EX', 86400) end
  return redis.call('EXISTS', base .. 'grace') == 1
end
