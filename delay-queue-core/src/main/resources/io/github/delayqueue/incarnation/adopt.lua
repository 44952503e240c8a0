-- Lets the tasks of a queue be kept in another table, or in none. The next beat is that of another incarnation, so that all
-- tasks of that table are handed over.
--
-- KEYS: the meta of one queue
-- ARGV: id of the table, or ''
-- Returns { 1 }
--
-- The first write is HDEL: it works on a server without memory, which then allows the HSET.

local meta, own = KEYS[1], ARGV[1]

redis.call('HDEL', meta, 'table', 'epoch', 'beat')
if own ~= '' then redis.call('HSET', meta, 'table', own) end
return { 1 }
