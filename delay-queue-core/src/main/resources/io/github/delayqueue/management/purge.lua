-- Forgets the tasks that have been dead or completed for the longest, or those that are named and not newer.
--
-- KEYS: the index to purge (dead or completed), then hashes and meta of the queue, see the locals below
-- ARGV: 'dead' or 'completed', how many at most; if only named tasks are to be forgotten, in place of that number the latest
--       score that is meant, and for each task, if it is in that index, its id and sixteen digits of a generation: one with a
--       higher score or generation stays
-- Returns { how many, how many of those that are named have not been looked at: the first ones, their records would be too large }

local index, tasks, deliveries, errors, meta = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local state, most = ARGV[1], tonumber(ARGV[2])

-- read: a key of another type is refused before anything is written
for _, key in ipairs({ tasks, deliveries, errors, meta }) do redis.call('HLEN', key) end

-- part: count.lua

-- the generation of an envelope is its first field; one without is lower than all
local function newer(id, highest)
  local digits = string.match(redis.call('HGET', tasks, id) or '', '^{"g":"(%d+)"')
  return digits and #digits == 16 and digits > highest
end

local ids, left = {}, 0
if #ARGV == 2 then
  ids = redis.call('ZRANGE', index, 0, most - 1)
else
  local bytes, seen = 0, {}
  left = (#ARGV - 2) / 2
  while left > 0 and bytes < 1048576 do
    local id, highest = ARGV[2 * left + 1], ARGV[2 * left + 2]
    left = left - 1
    local score = tonumber(redis.call('ZSCORE', index, id) or 'none')
    if not seen[id] and score and score <= most then
      bytes = bytes + redis.call('HSTRLEN', tasks, id)
      seen[id] = true
      if not newer(id, highest) then ids[#ids + 1] = id end
    end
  end
end
if #ids == 0 then return { 0, left } end
redis.call('ZREM', index, unpack(ids))
local with_record = redis.call('HDEL', tasks, unpack(ids))
redis.call('HDEL', deliveries, unpack(ids))
redis.call('HDEL', errors, unpack(ids))
if state == 'dead' then
  count('purged', #ids)
  count('orphans', with_record - #ids)
end
return { #ids, left }
