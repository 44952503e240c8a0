-- The first claim of each hour notes the totals, before anything that it takes is settled: by what they grow until the next
-- line is what has happened.
--
-- Needs the locals state, meta, hours, now and int of a claim.

local HOUR_MS, KEPT_HOURS, MAX_DIGITS = 3600000, 168, 18

local hour = int(math.floor(now / HOUR_MS))
local is_noted = not state[7] or hour == (state[8] or '0')
local totals = is_noted and {} or redis.call('HMGET', meta, 'completed', 'retried', 'buried', 'late', 'handling')

local function note_hour()
  if is_noted then return end
  local line = hour
  for _, total in ipairs(totals) do
    line = line .. ' ' .. (total and #total <= MAX_DIGITS and total:match('^%d+$') or '0')
  end
  -- pcall: what is taken is taken, whether or not the history may be written
  redis.pcall('LTRIM', hours, -KEPT_HOURS, -1)
  redis.pcall('RPUSH', hours, line)
  redis.pcall('HSET', meta, 'hour', hour)
end
