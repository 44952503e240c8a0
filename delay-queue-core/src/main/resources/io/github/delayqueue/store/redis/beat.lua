-- Counts a beat of a queue, by which somebody can tell later whether this is still the same Redis, and has lost nothing.
--
-- KEYS: the meta of one queue
-- ARGV: name of the incarnation if there is none yet; what the caller knows: the incarnation, and how many beats it had.
--       With fewer beats of this incarnation it is an older copy, and gets the name as well: a loss stays one
-- Returns { name of the incarnation, how many beats there have been }
--
-- The first write is HDEL: it works on a server without memory, which then allows the HSET. What is no name or no
-- number counts as missing.

local meta, incarnation = KEYS[1], ARGV[1]
local MAX_DIGITS = 15 -- as many as a number has

local state = redis.call('HMGET', meta, 'epoch', 'beat')
local epoch, beat = state[1], state[2]
if not epoch or #epoch > 64 or not epoch:match('^[A-Za-z0-9_-]+$') then epoch = incarnation end
beat = beat and #beat <= MAX_DIGITS and tonumber(beat:match('^%d+$') or '') or 0
if epoch == ARGV[2] and beat < tonumber(ARGV[3]) then epoch, beat = incarnation, 0 end

redis.call('HDEL', meta, '') -- changes nothing
redis.call('HSET', meta, 'epoch', epoch, 'beat', string.format('%.0f', beat + 1))
return { epoch, beat + 1 }
