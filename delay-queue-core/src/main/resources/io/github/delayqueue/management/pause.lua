-- Lets no task of a queue be claimed until it is resumed.
--
-- KEYS: the meta of one queue
-- Returns { 1 }
--
-- The first write is HDEL: it works on a server without memory, which then allows the HSET.

local meta = KEYS[1]

redis.call('HDEL', meta, 'paused')
redis.call('HSET', meta, 'paused', '1')
return { 1 }
