-- Adds what an instance has counted to what others have, in this quarter of an hour.
--
-- KEYS: the list of quarters of a queue, the oldest first
-- ARGV: now in us or '' for the server's clock, counts
-- Returns { 1 }

local key = KEYS[1]
local EXPIRES_MS = 90000000 -- a day and an hour

-- part: time.lua
-- part: quarters.lua

local last, counts = counted(redis.call('LRANGE', key, -1, -1)[1] or '')
local line = string.format('%.0f', quarter)
for i = 2, #ARGV do
  line = line .. string.format(' %.0f', (last == quarter and counts[i - 1] or 0) + tonumber(ARGV[i]))
end

if last == quarter then redis.call('LTRIM', key, 0, -2) end
redis.call('LTRIM', key, -KEPT, -1)
redis.call('RPUSH', key, line)
-- pcall: a user who lacks this right needs no figures that end
redis.pcall('PEXPIRE', key, EXPIRES_MS)
return { 1 }
