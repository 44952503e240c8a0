-- Takes members with a due time from where they wait and puts them into the moving area, in one step.
--
-- KEYS: moving area and lock of the source; a sorted set of members by due time; perhaps a list with the same members
-- ARGV: who moves, for how many ms the lock is kept, then for each member: key of its record, member
-- Returns { 1, for each member its score or '' if it was not there }, or { 0 } if the lock is somebody else's
--
-- A record is 't:<score>:<member>'. The first write is HSET: refused when memory is full, and then nothing has changed.

local moving, lock, scores, list = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local holder, lease = ARGV[1], tonumber(ARGV[2])
local FIRST, SLICE = 3, 1000

if redis.call('GET', lock) ~= holder then return { 0 } end
-- a key of another type is refused here
redis.call('HLEN', moving)
if list then redis.call('LLEN', list) end

local answer, records, members = { 1 }, {}, {}
local seen = {}
for i = FIRST, #ARGV, 2 do
  local key, member = ARGV[i], ARGV[i + 1]
  local score = not seen[member] and redis.call('ZSCORE', scores, member)
  seen[member] = true
  answer[#answer + 1] = score or ''
  if score then
    records[#records + 1] = key
    records[#records + 1] = 't:' .. score .. ':' .. member
    members[#members + 1] = member
  end
end

for i = 1, #records, SLICE do
  redis.call('HSET', moving, unpack(records, i, math.min(i + SLICE - 1, #records)))
end
for i = 1, #members, SLICE do
  redis.call('ZREM', scores, unpack(members, i, math.min(i + SLICE - 1, #members)))
end
if list then
  for _, member in ipairs(members) do redis.call('LREM', list, 1, member) end
end
redis.call('PEXPIRE', lock, lease)
return answer
