-- The first claim of each hour notes the totals, before anything that it takes is settled: by what they grow until the next
-- line is what has happened.
--
-- Needs the locals state, meta, hours, now and int of a claim.

local HOUR_MS, KEPT_HOURS, MAX_DIGITS = 3600000, 168, 18

local hour = math.floor(now / HOUR_MS)
local totals = hour ~= tonumber(state[5] or 0)
  and redis.call('HMGET', meta, 'completed', 'retried', 'buried', 'late', 'handling', 'scheduled')
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
