-- Tasks that wait until they are due: an index for each priority, in the order of due times. A queue that a part of the library
-- owns has the part's file of this name instead, with the same functions.
--
-- Needs the local index, by the first letters of priorities, and where leases end the local leases.

-- part: layout.lua

-- when the first task is due, infinite if none waits
local function first_due()
  local first = math.huge
  for _, key in pairs(index) do
    first = math.min(first, tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]) or math.huge)
  end
  return first
end

-- whether no task is due by a time; also reads the type of each index to which tasks of some priorities are to be added
local function none_due_by(score, coming)
  local none = true
  for priority in pairs(coming) do none = redis.call('ZCOUNT', index[priority], '-inf', score) == 0 and none end
  for priority, key in pairs(index) do
    none = none and (coming[priority] ~= nil or redis.call('ZCOUNT', key, '-inf', score) == 0)
  end
  return none
end

-- when a task is due that waits, and its priority
local function find_waiting(id)
  for priority, key in pairs(index) do
    local score = redis.call('ZSCORE', key, id)
    if score then return score, priority end
  end
end

-- adds due times and ids, by priority; a call that schedules gives the envelopes too
local function put(entries_of)
  for priority, entries in pairs(entries_of) do
    if #entries > 0 then redis.call('ZADD', index[priority], unpack(entries)) end
  end
end

local function move(id, priority, due)
  redis.call('ZREM', index[priority], id)
  redis.call('ZADD', index[priority], due, id)
end

-- Both are told how to call Redis, and return how many there were: a key of another type, where that is no error, holds none
local function end_leases(call, ids)
  local ended = call('ZREM', leases, unpack(ids))
  return type(ended) == 'number' and ended or 0
end

local function take_out(call, ids)
  local taken = 0
  for _, key in pairs(index) do
    local removed = call('ZREM', key, unpack(ids))
    taken = taken + (type(removed) == 'number' and removed or 0)
  end
  return taken
end
