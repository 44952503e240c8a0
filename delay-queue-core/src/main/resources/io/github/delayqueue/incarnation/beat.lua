-- Counts a beat of a queue, by which somebody can tell later whether this is still the same Redis, and has lost nothing.
--
-- KEYS: the meta of one queue
-- ARGV: name of the incarnation if there is none yet; what the caller knows: the incarnation, and how many beats it had.
--       With fewer beats of this incarnation it is an older copy, and gets the name as well: a loss stays one;
--       id of the table that the caller keeps the tasks in, or ''. The queue is marked with it, unless it is with another
-- Returns { name of the incarnation, how many beats there have been, id of the table that the queue is marked with or '' };
--         nothing is counted if that is another one
--
-- The first write is HDEL: it works on a server without memory, which then allows the HSET. What is no name or no
-- number counts as missing.

local meta, incarnation, own = KEYS[1], ARGV[1], ARGV[4]
local MAX_DIGITS = 15 -- as many as a number has

local function name(text) return text and #text <= 64 and text:match('^[A-Za-z0-9_-]+$') end

local state = redis.call('HMGET', meta, 'epoch', 'beat', 'table')
local epoch, beat, marked = name(state[1]) or incarnation, state[2], name(state[3]) or ''
beat = beat and #beat <= MAX_DIGITS and tonumber(beat:match('^%d+$') or '') or 0
if marked ~= '' and marked ~= own then return { epoch, beat, marked } end
if epoch == ARGV[2] and beat < tonumber(ARGV[3]) then epoch, beat = incarnation, 0 end

redis.call('HDEL', meta, '') -- changes nothing
redis.call('HSET', meta, 'epoch', epoch, 'beat', string.format('%.0f', beat + 1))
if own ~= '' and marked == '' then
  redis.call('HSET', meta, 'table', own)
  marked = own
end
return { epoch, beat + 1, marked }
