-- What comes first in each index, and which group is the first to be looked at.

-- part: heads.lua
-- part: slots.lua

-- While a group is full, who settles next is to wake the consumers. pcall: if that cannot be noted, they poll
local full = ARGV[#ARGV] ~= ''
  and redis.call('ZRANGE', groups, int(FULL), '(' .. int(PAUSED), 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2]
if full and not redis.call('HMGET', meta, 'full')[1] then redis.pcall('HSET', meta, 'full', '1') end
local recheck = full and math.ceil((full - FULL) / 1000) or math.huge

local earliest_without = earliest
earliest = function(gone, others) return math.min(earliest_without(gone, others), first_turn(), recheck) end
