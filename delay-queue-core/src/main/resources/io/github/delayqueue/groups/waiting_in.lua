-- Finds tasks of a group that wait: of high priority first, each in the order of due times.
--
-- KEYS: the indexes of what waits, then those of groups
-- ARGV: name of the group, how many at most
-- Returns { how many wait, then the ids of some }

-- part: slots.lua

local slot, most = tonumber(redis.call('HGET', slots, '=' .. ARGV[1])), tonumber(ARGV[2])
local reply = { 0 }
for i = 1, slot and 3 or 0 do
  local from, to = score_in(slot, 0), score_in(slot, DUES - 1)
  reply[1] = reply[1] + redis.call('ZCOUNT', KEYS[i], from, to)
  for _, id in ipairs(redis.call('ZRANGE', KEYS[i], from, to, 'BYSCORE', 'LIMIT', 0, most - #reply + 1)) do reply[#reply + 1] = id end
end
return reply
