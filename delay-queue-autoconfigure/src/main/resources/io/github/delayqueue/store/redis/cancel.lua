-- Removes a task that is scheduled or in flight.
--
-- KEYS: the indexes, hashes and meta of one queue, see the locals below
-- ARGV: id
-- Returns { 1 } if there was such a task, else { 0 }
--
-- The first write is ZREM: it works on a server without memory.

local normal, high, low, leases = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local tasks, deliveries, errors, meta = KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local id = ARGV[1]

-- read: a key of another type is refused before anything is written
for _, key in ipairs({ normal, high, low, leases }) do redis.call('ZCARD', key) end
for _, key in ipairs({ tasks, deliveries, errors, meta }) do redis.call('HLEN', key) end

local removed = redis.call('ZREM', normal, id) + redis.call('ZREM', high, id) + redis.call('ZREM', low, id)
  + redis.call('ZREM', leases, id)
if removed == 0 then return { 0 } end
redis.call('HDEL', tasks, id)
redis.call('HDEL', deliveries, id)
redis.call('HDEL', errors, id)
-- pcall: a total that is no number must not end the step half-way; a check finds it
redis.pcall('HINCRBY', meta, 'cancelled', 1)
return { 1 }
