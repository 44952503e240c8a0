-- Stores one task of normal priority whose id has never been used: what schedule.lua does, without looking for the id.
-- Called for each task on its own, and what costs is redis.call: as few of them as possible.
--
-- KEYS: index of scheduled tasks of normal priority, tasks and meta of one queue
-- ARGV: now in us or '' for the server's clock, wake channel, the numbers of partitions that the caller believes in
--       or '', id, envelope, due
--       due is '+<ms>' after now, or '<ms>' since the epoch; what is past means now
-- Returns { 0 }, or { 1 } if the id is known all the same, and then nothing was done; last of all, if consumers could
--         not be woken, why; an error with the numbers of partitions that are known, if they are others
--
-- The first write is HSETNX, which a server without memory refuses: nothing has changed then.

local normal, tasks, meta = KEYS[1], KEYS[2], KEYS[3]
local believed, id, envelope, due_text = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local call = redis.call
local LAYOUT = 1
local MAX_DUE = 253402300799999 -- end of the year 9999

local now_us = tonumber(ARGV[1])
if not now_us then
  -- Redis 6.2 wants to be told before a script that has read the clock writes
  if not redis.REDIS_VERSION_NUM and redis.replicate_commands then redis.replicate_commands() end
  local time = call('TIME')
  now_us = time[1] * 1000000 + time[2]
end
if believed ~= '' then
  local partitions = call('HGET', meta, 'partitions')
  if (partitions or '1') ~= believed then
    return redis.error_reply('PARTITIONS ' .. (partitions or 'unknown'):sub(1, 1024))
  end
end

local now_floor, due = math.floor(now_us / 1000), tonumber(due_text)
if due_text:byte() == 43 then -- '+'
  due = due == 0 and now_floor or math.min(math.ceil(now_us / 1000) + due, MAX_DUE)
  due_text = string.format('%.0f', due)
elseif due < now_floor then
  due = now_floor
  due_text = string.format('%.0f', due)
end

-- what is due already (or not later) has woken the consumers; that it may be one of another priority is not looked at:
-- consumers are woken once too often then
local wakes = call('ZCOUNT', normal, '-inf', due_text) == 0

-- write
if call('HSETNX', tasks, id, envelope) == 0 then return { 1 } end
call('ZADD', normal, due_text, id)
-- pcall: a total that is no number must not end the step half-way; a check finds it
if redis.pcall('HINCRBY', meta, 'scheduled', '1') == 1 then call('HSET', meta, 'layout', LAYOUT) end
if not wakes then return { 0 } end
local published = redis.pcall('PUBLISH', ARGV[2], string.format('%.0f', math.max(0, due * 1000 - now_us)))
return { 0, type(published) == 'table' and published.err or nil }
