-- What the totals of a queue were when each of the last hours began, and what they are now. Changes nothing.
--
-- KEYS: the meta and the hours of one queue
-- ARGV: now in us or '' for the server's clock
-- Returns lines of the form 'hour completed retried buried late handling', the oldest first; the last one is that of now

local meta, hours = KEYS[1], KEYS[2]
local KEPT, MAX_LINE, MAX_DIGITS = 169, 128, 18 -- lines and totals of ours are no longer

-- part: time.lua

local lines = {}
for _, line in ipairs(redis.call('LRANGE', hours, -KEPT, -1)) do
  if #line <= MAX_LINE then lines[#lines + 1] = line end
end
local present = { string.format('%.0f', math.floor(now_us / 3600000000)) }
for i, name in ipairs({ 'completed', 'retried', 'buried', 'late', 'handling' }) do
  local total = redis.call('HSTRLEN', meta, name) <= MAX_DIGITS and redis.call('HGET', meta, name) or ''
  present[i + 1] = total:match('^%d+$') or '0'
end
lines[#lines + 1] = table.concat(present, ' ')
return lines
