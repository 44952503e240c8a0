-- Looks for tasks of which newer ones are in another partition of the queue; removes them if asked to.
--
-- KEYS: the indexes, hashes and meta of one partition, see the locals below
-- ARGV: 'look' | 'remove', then the ids
-- Returns for each id: 1 if it is known, in whatever state, else 0
--
-- The first write is ZREM: it works on a server without memory.

local normal, high, low, leases = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local tasks, deliveries, errors = KEYS[5], KEYS[6], KEYS[7]
local dead, completed, meta = KEYS[8], KEYS[9], KEYS[10]
local remove = ARGV[1] == 'remove'

-- read: a key of another type is refused before anything is written
for _, key in ipairs({ normal, high, low, leases, dead, completed }) do redis.call('ZCARD', key) end
for _, key in ipairs({ tasks, deliveries, errors, meta }) do redis.call('HLEN', key) end

local replies, known, orphans, seen = {}, {}, 0, {}
for i = 2, #ARGV do
  local id = ARGV[i]
  local orphan = false
  local found = redis.call('HEXISTS', tasks, id) == 1
  if not found and redis.call('ZSCORE', dead, id) then found, orphan = true, true end
  if remove then found = found and not seen[id] end
  replies[#replies + 1] = found and 1 or 0
  if found and not seen[id] then
    known[#known + 1] = id
    if orphan then orphans = orphans + 1 end
  end
  seen[id] = true
end
if not remove or #known == 0 then return replies end

-- pcall: a total that is no number must not end the step half-way; a check finds it
local function count(field, by)
  if by ~= 0 then redis.pcall('HINCRBY', meta, field, by) end
end

local replaced = 0
for _, key in ipairs({ normal, high, low, leases, dead }) do
  replaced = replaced + redis.call('ZREM', key, unpack(known))
end
-- a completed task has been counted as such: it is not replaced in the sense of the totals
redis.call('ZREM', completed, unpack(known))
redis.call('HDEL', tasks, unpack(known))
redis.call('HDEL', deliveries, unpack(known))
redis.call('HDEL', errors, unpack(known))
count('orphans', -orphans)
count('replaced', replaced)
return replies
