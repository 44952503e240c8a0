-- Takes tasks that are due, so many of each lane: the last argument says how many.

local leases, tasks, deliveries = KEYS[4], KEYS[5], KEYS[6]
local token, limit, lease_duration, at_once = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(ARGV[#ARGV])

-- part: time.lua
-- part: scheduled.lua

local reply, taken = {}, {}
for _, id in ipairs(redis.call('ZRANGE', waiting, '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, 100)) do
  local lane = redis.call('HGET', lanes, id) or ''
  if (taken[lane] or 0) < at_once and #reply < 4 * limit then
    taken[lane] = (taken[lane] or 0) + 1
    local counts = string.match(redis.call('HGET', deliveries, id) or '0:0:', '^%d+:%d+:')
    local record = counts .. 'n:' .. redis.call('ZSCORE', waiting, id)
    redis.call('ZREM', waiting, id)
    redis.call('ZADD', leases, string.format('%.0f', now + lease_duration), id)
    redis.call('HSET', deliveries, id, record .. ':' .. token)
    for _, value in ipairs({ id, redis.call('HGET', tasks, id), record, false }) do reply[#reply + 1] = value end
  end
end
return { now_us, -1, 0, reply, {}, 0, '', 0 }
