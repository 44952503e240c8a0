-- Says which instances are connected: whose channels have a subscriber at this server.
--
-- KEYS: none, so that each node of a cluster can be asked
-- ARGV: channels
-- Returns for each channel: how many subscribers it has

local reply = redis.call('PUBSUB', 'NUMSUB', unpack(ARGV))
local counts = {}
for i = 2, #reply, 2 do counts[i / 2] = reply[i] end
return counts
