-- Removes a task that is scheduled or in flight.
--
-- KEYS: the indexes, hashes and meta of one queue, see the locals below
-- ARGV: id, sixteen digits of a generation, if a task with a higher one is to stay, or ''
-- Returns { 1 } if there was such a task, else { 0 };
--         last of all, if consumers could not be told, why
--
-- The first write is ZREM: it works on a server without memory.

local index = { h = KEYS[2], n = KEYS[1], l = KEYS[3] }
local leases, tasks, deliveries, errors, meta = unpack(KEYS, 4)
local id, highest = ARGV[1], ARGV[2]
local wake_channel = meta:sub(1, -5) .. 'wake'

-- read: a key of another type is refused before anything is written
for _, key in ipairs({ index.n, index.h, index.l, leases }) do redis.call('ZCARD', key) end
for _, key in ipairs({ tasks, deliveries, errors }) do redis.call('HLEN', key) end
local full = redis.call('HGET', meta, 'full') -- consumers wait for a task to end

-- part: scheduled.lua

if (highest or '') ~= '' then
  -- the generation of an envelope is its first field; one without is lower than all
  local digits = string.match(redis.call('HGET', tasks, id) or '', '^{"g":"(%d+)"')
  if digits and #digits == 16 and digits > highest then return { 0 } end
end

local freed = end_leases(redis.call, { id })
if freed + take_out(redis.call, { id }) == 0 then return { 0 } end
for _, key in ipairs({ tasks, deliveries, errors }) do redis.call('HDEL', key, id) end
-- pcall: a total that is no number must not end the step half-way; a check finds it
redis.pcall('HINCRBY', meta, 'cancelled', 1)
local makes_room = full and freed > 0
if makes_room then redis.call('HDEL', meta, 'full') end
-- part: withdrawn.lua
local published = freed > 0 and tell_holders()
if makes_room then published = redis.pcall('PUBLISH', wake_channel, '0') end
return { 1, type(published) == 'table' and published.err or nil }
