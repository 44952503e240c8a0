-- Notes that an instance which holds leases has been seen to be connected, so that it can be missed.
--
-- KEYS: the meta of one queue
-- ARGV: name of the instance
-- Returns { 1 } if it was not noted before, else { 0 }
--
-- The first write is HDEL: it works on a server without memory.

local meta, name = KEYS[1], ARGV[1]
local holders = redis.call('HGET', meta, 'holders') or ''
local counted, found = holders:gsub(name .. '%?', name .. '~')
if found == 0 then return { 0 } end
redis.call('HDEL', meta, 'holders')
redis.call('HSET', meta, 'holders', counted)
return { 1 }
