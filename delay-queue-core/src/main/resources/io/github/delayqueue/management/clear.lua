-- Forgets all tasks of a queue; totals and the pause stay.
--
-- KEYS: the indexes, hashes and meta of one queue, see the locals below
-- Returns { how many were scheduled, in flight or dead }; last of all, if consumers could not be woken, why

local normal, high, low, leases, dead, completed, tasks, deliveries, errors, meta = unpack(KEYS)

-- read: a key of another type is refused before anything is written
for _, key in ipairs({ normal, high, low, leases, dead, completed }) do redis.call('ZCARD', key) end
for _, key in ipairs({ tasks, deliveries, errors }) do redis.call('HLEN', key) end
local withdraws = redis.call('ZCARD', leases) > 0
local makes_room = redis.call('HGET', meta, 'full') and withdraws -- consumers wait for a task to end
local wake_channel = meta:sub(1, -5) .. 'wake'

local cleared = 0
for _, key in ipairs({ normal, high, low, leases, dead }) do cleared = cleared + redis.call('ZCARD', key) end
redis.call('UNLINK', normal, high, low, leases, dead, completed, tasks, deliveries, errors)
redis.call('HDEL', meta, 'orphans', makes_room and 'full' or 'orphans')
-- pcall: a total that is no number must not end the step half-way; a check finds it
if cleared > 0 then redis.pcall('HINCRBY', meta, 'cleared', cleared) end
-- part: withdrawn.lua
local published = withdraws and tell_holders()
if makes_room then published = redis.pcall('PUBLISH', wake_channel, '0') end
return { cleared, type(published) == 'table' and published.err or nil }
