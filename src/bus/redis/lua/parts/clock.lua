-- Redis's own clock, so that hosts whose clocks differ still agree on leases and limits.
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
