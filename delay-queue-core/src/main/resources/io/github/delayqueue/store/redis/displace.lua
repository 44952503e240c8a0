-- Looks for tasks of which newer ones are in another partition of the queue; removes them if asked to.
--
-- KEYS: the indexes, hashes and meta of one partition, see the locals below
-- ARGV: 'look' | 'remove', then the ids; or
--       'newer' | 'older', then for each task: id, generation (sixteen digits, or '' for none)
-- Returns for each id: 1 if it is known, in whatever state, else 0; asked for newer ones, only if its generation is not
--         lower, and asked to remove older ones, only if it is. Without a record it has a generation that is lower;
--         last of all, if consumers could not be woken, why
--
-- The first write is ZREM: it works on a server without memory.

local normal, high, low, leases = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local tasks, deliveries, errors = KEYS[5], KEYS[6], KEYS[7]
local dead, completed, meta = KEYS[8], KEYS[9], KEYS[10]
local action = ARGV[1]
local wake_channel = meta:sub(1, -5) .. 'wake'
local remove = action == 'remove' or action == 'older'
local by_generation = action == 'newer' or action == 'older'

-- read: a key of another type is refused before anything is written
for _, key in ipairs({ normal, high, low, leases, dead, completed }) do redis.call('ZCARD', key) end
for _, key in ipairs({ tasks, deliveries, errors }) do redis.call('HLEN', key) end
local full = redis.call('HGET', meta, 'full') -- consumers wait for a task to end

-- whether the record of an id is what is looked for
local function matches(id, generation)
  if not by_generation then return redis.call('HEXISTS', tasks, id) == 1 end
  local envelope = redis.call('HGET', tasks, id)
  if not envelope then return false end
  -- the generation of an envelope is its first field; one without is lower than all
  local digits = envelope:match('^{"g":"(%d+)"')
  local lower = (digits and #digits == 16 and digits or '') < generation
  return lower == remove
end

local function is_orphan(id)
  return redis.call('ZSCORE', dead, id) and redis.call('HEXISTS', tasks, id) == 0
end

local replies, known, orphans, gone = {}, {}, 0, {}
for i = 2, #ARGV, by_generation and 2 or 1 do
  local id = ARGV[i]
  local found, orphan = not gone[id] and matches(id, ARGV[i + 1]), false
  if not found and not gone[id] and action ~= 'newer' then
    orphan = is_orphan(id)
    found = orphan
  end
  replies[#replies + 1] = found and 1 or 0
  if remove and found then
    gone[id] = true
    known[#known + 1] = id
    if orphan then orphans = orphans + 1 end
  end
end
if not remove or #known == 0 then return replies end

-- pcall: a total that is no number must not end the step half-way; a check finds it
local function count(field, by)
  if by ~= 0 then redis.pcall('HINCRBY', meta, field, by) end
end

local freed = redis.call('ZREM', leases, unpack(known))
local replaced = freed
for _, key in ipairs({ normal, high, low, dead }) do
  replaced = replaced + redis.call('ZREM', key, unpack(known))
end
-- a completed task has been counted as such: it is not replaced in the sense of the totals
redis.call('ZREM', completed, unpack(known))
redis.call('HDEL', tasks, unpack(known))
redis.call('HDEL', deliveries, unpack(known))
redis.call('HDEL', errors, unpack(known))
count('orphans', -orphans)
count('replaced', replaced)
if full and freed > 0 then
  redis.call('HDEL', meta, 'full')
  local published = redis.pcall('PUBLISH', wake_channel, '0')
  if type(published) == 'table' then replies[#replies + 1] = published.err end
end
return replies
