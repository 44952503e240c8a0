-- Takes values that are due from the head of a list and puts them into the moving area, in one step.
--
-- KEYS: moving area and lock of the source; the list
-- ARGV: who moves, for how many ms the lock is kept, how many values of the head to look among, then for each value:
--       key of its record, value
-- Returns { 1, for each value '0' or '' if it was not there }, or { 0 } if the lock is somebody else's
--
-- A record is 'd:0:<value>'. The first write is HSET: refused when memory is full, and then nothing has changed.

local moving, lock, list = KEYS[1], KEYS[2], KEYS[3]
local holder, lease, depth = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local FIRST, SLICE = 4, 1000

if redis.call('GET', lock) ~= holder then return { 0 } end
redis.call('HLEN', moving)

-- equal values are separate elements
local there = {}
for _, value in ipairs(redis.call('LRANGE', list, 0, depth - 1)) do there[value] = (there[value] or 0) + 1 end

local answer, records, values = { 1 }, {}, {}
for i = FIRST, #ARGV, 2 do
  local key, value = ARGV[i], ARGV[i + 1]
  -- a driver may send the call twice: what has this key lies there already
  local left = redis.call('HEXISTS', moving, key) == 0 and there[value] or 0
  answer[#answer + 1] = left > 0 and '0' or ''
  if left > 0 then
    there[value] = left - 1
    records[#records + 1] = key
    records[#records + 1] = 'd:0:' .. value
    values[#values + 1] = value
  end
end

for i = 1, #records, SLICE do
  redis.call('HSET', moving, unpack(records, i, math.min(i + SLICE - 1, #records)))
end
for _, value in ipairs(values) do redis.call('LREM', list, 1, value) end
redis.call('PEXPIRE', lock, lease)
return answer
