-- How many tasks all consumers together may have in flight, and after what time another one may be.
--
-- Needs the locals limit, limited, argument, paused, leases, lease_duration, meta, now and now_us of a claim.

argument = argument + 1
local free = math.huge
if not paused then free = tonumber(ARGV[argument]) - redis.call('ZCOUNT', leases, '(' .. int(now), '+inf') end
limit = math.min(limit, free)

limited[#limited + 1] = function(wake_us, taken)
  -- a lease that is over at once takes no place
  if wake_us > 0 or free > taken or taken > 0 and lease_duration <= 0 then return wake_us end
  -- pcall: who settles next is to wake the consumers; if it cannot be noted, they poll
  if not redis.call('HMGET', meta, 'full')[1] then redis.pcall('HSET', meta, 'full', '1') end
  local held = redis.call('ZRANGE', leases, '(' .. int(now), '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
  return math.max(0, math.min(tonumber(held[2] or 0), now + DAY_MS) * 1000 - now_us)
end
