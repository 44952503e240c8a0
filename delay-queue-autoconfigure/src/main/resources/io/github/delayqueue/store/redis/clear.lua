-- Forgets all tasks of a queue; totals and the pause stay.
--
-- KEYS: the indexes, hashes and meta of one queue, see the locals below
-- Returns { how many were scheduled, in flight or dead }

local normal, high, low, leases, dead = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local completed, tasks, deliveries, errors, meta = KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10]

-- read: a key of another type is refused before anything is written
for _, key in ipairs({ normal, high, low, leases, dead, completed }) do redis.call('ZCARD', key) end
for _, key in ipairs({ tasks, deliveries, errors, meta }) do redis.call('HLEN', key) end

local cleared = 0
for _, key in ipairs({ normal, high, low, leases, dead }) do cleared = cleared + redis.call('ZCARD', key) end
redis.call('UNLINK', normal, high, low, leases, dead, completed, tasks, deliveries, errors)
redis.call('HDEL', meta, 'orphans')
-- pcall: a total that is no number must not end the step half-way; a check finds it
if cleared > 0 then redis.pcall('HINCRBY', meta, 'cleared', cleared) end
return { cleared }
