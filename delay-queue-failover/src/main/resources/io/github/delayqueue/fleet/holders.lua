-- Changes who can be missed: an instance that holds leases has seen that it is connected, or is not to be missed any more.
--
-- KEYS: the meta of one queue
-- ARGV: the holder that goes, the holder that comes in front or ''
-- Returns { 1 } if that has changed anything, else { 0 }
--
-- The first write is HDEL: it works on a server without memory.

local meta, gone, comes = KEYS[1], ARGV[1], ARGV[2]
local MAX_HOLDERS = 2000

local before = redis.call('HGET', meta, 'holders') or ''
local after = before
local from, to = before:find(gone, 1, true)
if from then after = before:sub(1, from - 1) .. before:sub(to + 1) end
if comes ~= '' and not after:find(comes, 1, true) then after = (comes .. after):sub(1, MAX_HOLDERS) end
if after == before then return { 0 } end
redis.call('HDEL', meta, 'holders')
if after ~= '' then redis.call('HSET', meta, 'holders', after) end
return { 1 }
