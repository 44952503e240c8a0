-- Ends the pause of a queue and wakes its consumers.
--
-- KEYS: the indexes of what waits or is in flight, and the meta of one queue, see the locals below
-- ARGV: now in us or '' for the server's clock, wake channel
-- Returns { 1 } if the queue was paused, else { 0 }; last of all, if consumers could not be woken, why

local index = { h = KEYS[2], n = KEYS[1], l = KEYS[3] }
local leases, meta = KEYS[4], KEYS[5]
local wake_channel = ARGV[2]

-- part: time.lua
-- part: scheduled.lua

local lease = tonumber(redis.call('ZRANGE', leases, 0, 0, 'WITHSCORES')[2])
local earliest = math.min(first_due(), lease or math.huge)

local was_paused = redis.call('HDEL', meta, 'paused')
if earliest < math.huge then
  local published = redis.pcall('PUBLISH', wake_channel, string.format('%.0f', math.max(0, earliest * 1000 - now_us)))
  if type(published) == 'table' then return { was_paused, published.err } end
end
return { was_paused }
