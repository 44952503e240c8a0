-- Forgets what is left of a queue, or a source of one, without tasks: totals, history, pause, limits, number of
-- sources. The mark by which a loss is noticed stays.
--
-- KEYS: the indexes, hashes, meta and hours of one queue, see the locals below
-- Returns { 1 } if there was no task, else { 0 }, and nothing is changed

local normal, high, low, leases, dead, completed, tasks, deliveries, errors, meta, hours = unpack(KEYS)

-- read: a key of another type is refused before anything is written
local entries = 0
for _, key in ipairs({ normal, high, low, leases, dead, completed }) do entries = entries + redis.call('ZCARD', key) end
for _, key in ipairs({ deliveries, errors }) do redis.call('HLEN', key) end
redis.call('LLEN', hours)
local mark = redis.call('HMGET', meta, 'epoch', 'beat')
if entries + redis.call('HLEN', tasks) > 0 then return { 0 } end

redis.call('UNLINK', deliveries, errors, hours, meta)
if mark[1] then redis.call('HSET', meta, 'epoch', mark[1], 'beat', mark[2] or '0') end
return { 1 }
