-- Whether it is time to tend the queue (tend.lua): once a second, by whoever claims first. Where nothing happens, nothing is
-- written.
--
-- Needs the locals state, completed, dead, meta and now of a claim.

local TEND_EVERY_MS = 1000

local function is_untended(taken)
  local since = now - (tonumber(state[9]) or math.huge)
  if since >= 0 and since < TEND_EVERY_MS then return false end
  if taken == 0 and size(completed) + size(dead) == 0 then return false end
  redis.pcall('HDEL', meta, 'tended') -- works on a server without memory, and what follows in the same script
  return type(redis.pcall('HSET', meta, 'tended', int(now))) == 'number'
end
