-- Forgets the tasks that have been dead or completed for the longest, or those that are named.
--
-- KEYS: the index to purge (dead or completed), then hashes and meta of the queue, see the locals below
-- ARGV: 'dead' or 'completed', how many at most, then ids if only these are to be forgotten, if they are in that index
-- Returns { how many }

local index, tasks, deliveries, errors, meta = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local state, limit = ARGV[1], tonumber(ARGV[2])

-- read: a key of another type is refused before anything is written
for _, key in ipairs({ tasks, deliveries, errors, meta }) do redis.call('HLEN', key) end

-- pcall: a total that is no number must not end the step half-way; a check finds it
local function count(field, by)
  if by ~= 0 then redis.pcall('HINCRBY', meta, field, by) end
end

local ids
if #ARGV == 2 then
  ids = redis.call('ZRANGE', index, 0, limit - 1)
else
  ids = {}
  local seen = {}
  for i = 3, #ARGV do
    local id = ARGV[i]
    if not seen[id] and redis.call('ZSCORE', index, id) then
      seen[id] = true
      ids[#ids + 1] = id
    end
  end
end
if #ids == 0 then return { 0 } end
redis.call('ZREM', index, unpack(ids))
local with_record = redis.call('HDEL', tasks, unpack(ids))
redis.call('HDEL', deliveries, unpack(ids))
redis.call('HDEL', errors, unpack(ids))
if state == 'dead' then
  count('purged', #ids)
  count('orphans', with_record - #ids)
end
return { #ids }
