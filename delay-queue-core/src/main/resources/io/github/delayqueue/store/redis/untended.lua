-- Whether it is time to tend the queue (tend.lua): once a second, by whoever claims first. Where nothing happens, nothing is
-- written.
--
-- Needs the locals state, completed, dead, meta, now, reply and orphan_ids of a claim.

local untended, since = false, now - (tonumber(state[6]) or math.huge)
if not (since >= 0 and since < 1000) and (#reply + #orphan_ids > 0 or size(completed) + size(dead) > 0) then
  redis.pcall('HDEL', meta, 'tended') -- works on a server without memory, and what follows in the same script
  untended = type(redis.pcall('HSET', meta, 'tended', int(now))) == 'number'
end
