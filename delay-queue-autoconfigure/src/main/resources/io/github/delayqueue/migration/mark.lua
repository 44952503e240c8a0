-- Notes of records in the moving area that their tasks are stored, and under which ids.
--
-- KEYS: moving area and lock of a source
-- ARGV: who moves, for how many ms the lock is kept, then for each record: its key, id of the task
-- Returns { 1, for each record 1 if it says so now for the first time, 2 if it did before, 0 if it is not there },
--         or { 0 } if the lock is somebody else's
--
-- A record becomes 's:<score>:<id>'.

local moving, lock = KEYS[1], KEYS[2]
local holder, lease = ARGV[1], tonumber(ARGV[2])
local FIRST, SLICE = 3, 1000

if redis.call('GET', lock) ~= holder then return { 0 } end

local answer, records = { 1 }, {}
for i = FIRST, #ARGV, 2 do
  local key, id = ARGV[i], ARGV[i + 1]
  local record = redis.call('HGET', moving, key)
  local state, score = (record or ''):match('^([tds]):([^:]*):')
  if not state then
    answer[#answer + 1] = 0
  elseif state == 's' then
    answer[#answer + 1] = 2
  else
    answer[#answer + 1] = 1
    records[#records + 1] = key
    records[#records + 1] = 's:' .. score .. ':' .. id
  end
end

for i = 1, #records, SLICE do
  redis.call('HSET', moving, unpack(records, i, math.min(i + SLICE - 1, #records)))
end
redis.call('PEXPIRE', lock, lease)
return answer
