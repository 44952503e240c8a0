-- Removes records from the moving area whose entries have arrived, and counts them.
--
-- KEYS: moving area, lock and totals of a source
-- ARGV: who moves, for how many ms the lock is kept, the total to count them in, then keys of records
-- Returns { 1, how many were there }, or { 0 } if the lock is somebody else's
--
-- The first write is HDEL: it works on a server without memory.

local moving, lock, totals = KEYS[1], KEYS[2], KEYS[3]
local holder, lease, total = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local FIRST, SLICE = 4, 1000

if redis.call('GET', lock) ~= holder then return { 0 } end
redis.call('HGET', totals, total)

local dropped = 0
for i = FIRST, #ARGV, SLICE do
  dropped = dropped + redis.call('HDEL', moving, unpack(ARGV, i, math.min(i + SLICE - 1, #ARGV)))
end
-- pcall: a total that is no number must not end the step half-way
if dropped > 0 then redis.pcall('HINCRBY', totals, total, dropped) end
redis.call('PEXPIRE', lock, lease)
return { 1, dropped }
