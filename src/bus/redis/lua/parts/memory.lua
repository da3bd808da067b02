-- Ids that must not be taken twice, a key each: a set by the hour costs a third of the memory, and four more calls for
-- every message.
-- Longer than any platform delivers a message again (Feishu: about seven hours).
local SEEN_MS = 13 * 3600 * 1000
-- A delivery's id is known for at least a day after it was enqueued, and after it was sent.
local SENT_MS = 25 * 3600 * 1000

-- False when it was known.
local function is_new(family, id, forMs)
  return redis.call('SET', base .. family .. id, '', 'NX', 'PX', forMs)
end
