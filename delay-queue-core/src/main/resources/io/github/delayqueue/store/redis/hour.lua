-- The first claim of each hour notes the totals, before anything that it takes is settled: by what they grow until the next
-- line is what has happened.
--
-- Needs the locals hour, totals, meta, hours and int of a claim.

local KEPT_HOURS, MAX_DIGITS = 168, 18

if totals and totals[6] then
  local line = int(hour)
  for i = 1, 5 do
    line = line .. ' ' .. (totals[i] and #totals[i] <= MAX_DIGITS and totals[i]:match('^%d+$') or '0')
  end
  -- pcall: what is taken is taken, whether or not the history may be written
  redis.pcall('LTRIM', hours, -KEPT_HOURS, -1)
  redis.pcall('RPUSH', hours, line)
  redis.pcall('HSET', meta, 'hour', int(hour))
end
