-- Ends the pause of a queue and wakes its consumers.
--
-- KEYS: the indexes of what waits or is in flight, and the meta of one queue, see the locals below
-- ARGV: now in us or '' for the server's clock, wake channel
-- Returns { 1 } if the queue was paused, else { 0 }; last of all, if consumers could not be woken, why

local normal, high, low, leases, meta = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local wake_channel = ARGV[2]

-- part: time.lua

local earliest = math.huge
for _, key in ipairs({ normal, high, low, leases }) do
  earliest = math.min(earliest, tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]) or math.huge)
end

local was_paused = redis.call('HDEL', meta, 'paused')
if earliest < math.huge then
  local published = redis.pcall('PUBLISH', wake_channel, string.format('%.0f', math.max(0, earliest * 1000 - now_us)))
  if type(published) == 'table' then return { was_paused, published.err } end
end
return { was_paused }
