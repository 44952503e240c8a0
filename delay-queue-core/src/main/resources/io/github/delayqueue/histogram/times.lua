-- Adds up what was counted in the present quarter of an hour and in those before it. Changes nothing.
--
-- KEYS: the list of quarters of a queue, the oldest first
-- ARGV: now in us or '' for the server's clock, how many quarters before the present one, how many counts
-- Returns the sums

local before, size = tonumber(ARGV[2]), tonumber(ARGV[3])

-- part: time.lua
-- part: quarters.lua

local sums = {}
for i = 1, size do sums[i] = 0 end
for _, line in ipairs(redis.call('LRANGE', KEYS[1], -KEPT - 1, -1)) do
  local at, counts = counted(line)
  if at and at >= quarter - before then
    for i = 1, size do sums[i] = sums[i] + (counts[i] or 0) end
  end
end
return sums
