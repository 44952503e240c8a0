-- Moves the deadlines of leases, each only if the delivery still holds its task.
--
-- KEYS: the leases and the deliveries of one queue
-- ARGV: now in us or '' for the server's clock, then for each lease: id, token, lease duration in ms from now
-- Returns for each lease: 1 extended, 0 stale
--
-- The first write is ZREM: it works on a server without memory.

local leases, deliveries = KEYS[1], KEYS[2]
local STRIDE, MAX_TIME = 3, 253402300799999 -- end of the year 9999

-- part: time.lua

-- part: values.lua

local ids = {}
for i = 2, #ARGV, STRIDE do ids[#ids + 1] = ARGV[i] end
local records = values_of(deliveries, MAX_RECORD, ids, 1, #ids)

local replies, held, entries = {}, {}, {}
for n, id in ipairs(ids) do
  local i = 2 + (n - 1) * STRIDE
  local token, lease_duration = ARGV[i + 1], tonumber(ARGV[i + 2])
  if records[n] and string.match(records[n], '^%d+:%d+:[hnl]:%d+:(.+)$') == token then
    replies[n] = 1
    held[#held + 1] = id
    entries[#entries + 1] = string.format('%.0f', math.min(now + lease_duration, MAX_TIME))
    entries[#entries + 1] = id
  else
    replies[n] = 0
  end
end

if #held > 0 then
  redis.call('ZREM', leases, unpack(held))
  redis.call('ZADD', leases, unpack(entries))
end
return replies
