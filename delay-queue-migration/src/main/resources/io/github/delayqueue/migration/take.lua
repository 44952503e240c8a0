-- Takes entries from where they wait and puts them into the moving area, in one step.
--
-- KEYS: moving area and lock of the source; a sorted set of members by due time, and perhaps a list with the same
--       members; or else a list of values that are due
-- ARGV: who moves, for how many ms the lock is kept, '' or how many values of the head of the list to look among, then
--       for each entry: key of its record, member or value
-- Returns { 1, for each entry its score or '' if it was not there }, or { 0 } if the lock is somebody else's
--
-- A record is 't:<score>:<member>' or 'd:0:<value>'. The first write is HSET: refused when memory is full, and then
-- nothing has changed.

local moving, lock, place, list = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local holder, lease, depth = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local FIRST, SLICE = 4, 1000

if redis.call('GET', lock) ~= holder then return { 0 } end
-- a key of another type is refused here
redis.call('HLEN', moving)
if list then redis.call('LLEN', list) end

-- equal values are separate elements, equal members are not
local there, seen = {}, {}
for _, value in ipairs(depth and redis.call('LRANGE', place, 0, depth - 1) or {}) do
  there[value] = (there[value] or 0) + 1
end

local function score(key, entry)
  if depth then
    -- a driver may send the call twice: what has this key lies there already
    if (there[entry] or 0) == 0 or redis.call('HEXISTS', moving, key) == 1 then return nil end
    there[entry] = there[entry] - 1
    return '0'
  end
  if seen[entry] then return nil end
  seen[entry] = true
  return redis.call('ZSCORE', place, entry)
end

local answer, records, entries = { 1 }, {}, {}
for i = FIRST, #ARGV, 2 do
  local key, entry = ARGV[i], ARGV[i + 1]
  local at = score(key, entry)
  answer[#answer + 1] = at or ''
  if at then
    records[#records + 1] = key
    records[#records + 1] = (depth and 'd:' or 't:') .. at .. ':' .. entry
    entries[#entries + 1] = entry
  end
end

for i = 1, #records, SLICE do
  redis.call('HSET', moving, unpack(records, i, math.min(i + SLICE - 1, #records)))
end
for i = 1, depth and 0 or #entries, SLICE do
  redis.call('ZREM', place, unpack(entries, i, math.min(i + SLICE - 1, #entries)))
end
if depth then list = place end
for _, entry in ipairs(list and entries or {}) do redis.call('LREM', list, 1, entry) end
redis.call('PEXPIRE', lock, lease)
return answer
