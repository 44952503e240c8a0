-- Stores tasks of one priority whose ids have never been used: what schedule.lua does, without looking for them
-- everywhere. Most calls are for one task, and what costs is redis.call: as few of them as possible.
--
-- KEYS: the indexes of scheduled tasks: normal, high, low; tasks and meta of one queue
-- ARGV: now in us or '' for the server's clock, wake channel, the number of sources that the caller knows
--       or '', the number of the key of the priority's index, when all of them are due or '',
--       for each: id, envelope, and then, if they are not due together, for each: due
--       due is '+<ms>' after now, or '<ms>' since the epoch; what is past means now
-- Returns { 0 }, or { 1 } if an id is known all the same, and then nothing was done; last of all, if consumers could
--         not be woken, why; an error with the number of sources that is known, if it is another
--
-- The first write is HSETNX or HSET, which a server without memory refuses: nothing has changed then.

local tasks, meta, index = KEYS[4], KEYS[5], KEYS[tonumber(ARGV[4])]
local expected, together, first = ARGV[3], ARGV[5], 6
local call = redis.call
local MAX_DUE = 253402300799999 -- end of the year 9999

-- part: layout.lua

local now_us = tonumber(ARGV[1])
if not now_us then
  -- Redis 6.2 wants to be told before a script that has read the clock writes
  if not redis.REDIS_VERSION_NUM and redis.replicate_commands then redis.replicate_commands() end
  local time = call('TIME')
  now_us = time[1] * 1000000 + time[2]
end
if expected ~= '' then
  local sources = call('HGET', meta, 'partitions')
  if (sources or '1') ~= expected then
    return redis.error_reply('PARTITIONS ' .. (sources or 'unknown'):sub(1, 1024))
  end
end

local now_floor, now_ceil = math.floor(now_us / 1000), math.ceil(now_us / 1000)
local last = together ~= '' and #ARGV or first - 1 + (#ARGV - first + 1) / 3 * 2
local single = last == first + 1
local entries, earliest, earliest_score = not single and {}, math.huge, nil
local text, due, score -- Redis would print a number with 17 digits
for i = first, last, 2 do
  local due_text = together ~= '' and together or ARGV[last + (i - first) / 2 + 1]
  if due_text ~= text then
    text, score, due = due_text, due_text, tonumber(due_text)
    if not due or due % 1 ~= 0 then return redis.error_reply('ERR a due time is no whole number of milliseconds') end
    if text:byte() == 43 then -- '+'
      due = due == 0 and now_floor or math.min(now_ceil + due, MAX_DUE)
      score = string.format('%.0f', due)
    elseif due < now_floor then
      due = now_floor
      score = string.format('%.0f', due)
    end
    if due < earliest then earliest, earliest_score = due, score end
  end
  if not single then entries[i - first + 1], entries[i - first + 2] = score, ARGV[i] end
end

-- what is due already (or not later) has woken the consumers
local wakes = call('ZCOUNT', index, '-inf', earliest_score) == 0
for i = 1, wakes and 3 or 0 do
  wakes = wakes and (KEYS[i] == index or call('ZCOUNT', KEYS[i], '-inf', earliest_score) == 0)
end

-- write
local created = 1
if single then
  if call('HSETNX', tasks, ARGV[first], ARGV[last]) == 0 then return { 1 } end
  call('ZADD', index, score, ARGV[first])
else
  local ids = {}
  for i = first, last, 2 do ids[#ids + 1] = ARGV[i] end
  for _, known in ipairs(call('HMGET', tasks, unpack(ids))) do
    if known then return { 1 } end
  end
  created = call('HSET', tasks, unpack(ARGV, first, last))
  call('ZADD', index, unpack(entries))
end
-- pcall: a total that is no number must not end the step half-way; a check finds it
if redis.pcall('HINCRBY', meta, 'scheduled', single and '1' or created) == created then call('HSET', meta, 'layout', LAYOUT) end
if not wakes then return { 0 } end
local published = redis.pcall('PUBLISH', ARGV[2], string.format('%.0f', math.max(0, earliest * 1000 - now_us)))
return { 0, type(published) == 'table' and published.err or nil }
