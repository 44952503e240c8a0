-- Notes that a task has come that may lead, and says whether it begins a burst, as schedule.lua does by itself: for callers
-- that have to know when the task is due before they store it.
--
-- KEYS: the bursts of one queue
-- ARGV: now in us or '' for the server's clock, id, for how many milliseconds the burst goes on from now on
-- Returns { 1 } if it begins one, { 0 } if one goes on
--
-- The first write is ZREMRANGEBYRANK or ZADD.

local bursts = KEYS[1]
local id, quiet = ARGV[2], tonumber(ARGV[3])
local MAX_DUE = 253402300799999 -- end of the year 9999
local KEPT = 3600000 -- so long the bursts stay behind the end of the last one

if redis.replicate_commands then redis.replicate_commands() end

local time = ARGV[1] == '' and redis.call('TIME')
local now_us = time and time[1] * 1000000 + time[2] or tonumber(ARGV[1])
local now_floor, now_ceil = math.floor(now_us / 1000), math.ceil(now_us / 1000)
local function int(number) return string.format('%.0f', number) end

-- read
local before = tonumber(redis.call('ZSCORE', bursts, id) or 0)
local over = math.min(redis.call('ZCOUNT', bursts, '-inf', int(now_floor)), 2)
local last = tonumber(redis.call('ZRANGE', bursts, -1, -1, 'WITHSCORES')[2] or 0)

-- write; pcall: without the rights for that, what is over stays
local ends = quiet == 0 and now_floor or math.min(now_ceil + quiet, MAX_DUE)
if over > 0 then redis.pcall('ZREMRANGEBYRANK', bursts, 0, over - 1) end
redis.call('ZADD', bursts, int(ends), id)
redis.pcall('PEXPIRE', bursts, int(math.max(ends, last) - now_floor + KEPT))
return { before <= now_floor and 1 or 0 }
