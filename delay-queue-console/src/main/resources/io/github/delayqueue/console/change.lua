-- Notes that somebody has changed a queue. Steps of one change count as one: like ones that come within a minute.
--
-- KEYS: the list of changes, for all queues, the latest last: milliseconds since the epoch, number of tasks or '', queue, action,
--       user, what of the queue; all of these with tabs between them
-- ARGV: now in microseconds, empty for the server's clock; number of tasks or ''; all behind that; how many changes are kept
-- Returns { 1 }

local key, tasks, change, kept = KEYS[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local MINUTE = 60000
-- part: time.lua

local at, before, latest = (redis.call('LRANGE', key, -1, -1)[1] or ''):match('^(%d+)\t(%d+)\t(.*)$')
local goes_on = latest == change and tasks ~= '' and now - at < MINUTE
if goes_on then tasks = string.format('%.0f', tasks + before) end
-- first, because it is allowed when memory is full, and then so is what follows
redis.call('LTRIM', key, 1 - kept, goes_on and -2 or -1)
redis.call('RPUSH', key, string.format('%.0f\t', now) .. tasks .. '\t' .. change)
return { 1 }
