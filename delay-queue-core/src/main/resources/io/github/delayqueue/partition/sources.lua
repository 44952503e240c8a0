-- Reads the number of sources of a queue that one of them knows, or lets it know one.
--
-- KEYS: tasks and meta of one source
-- ARGV: the number to be known from now on, or '' to change nothing; '1' to let it be known only if none is, and the
--       source has had no task since its queue was forgotten
-- Returns { the number it knows then, '1' if none }

local tasks, meta = KEYS[1], KEYS[2]
local number, fresh = ARGV[1], ARGV[2] == '1'

local known = redis.call('HGET', meta, 'partitions')
local stays = fresh and (known or redis.call('HLEN', tasks) + redis.call('HEXISTS', meta, 'scheduled') > 0)
if number == '' or stays then return { (known or '1'):sub(1, 1024) } end
redis.call('HSET', meta, 'partitions', number)
return { number }
