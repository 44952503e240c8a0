-- One index for all priorities, and the lane of each task that has one.

local LAYOUT = 1
local waiting, lanes = KEYS[#KEYS - 1], KEYS[#KEYS]
local lane_of = {} -- of the tasks of this call

local function first_due()
  return tonumber(redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')[2]) or math.huge
end

local function none_due_by(score) return redis.call('ZCOUNT', waiting, '-inf', score) == 0 end

local function find_waiting(id)
  local score = redis.call('ZSCORE', waiting, id)
  if score then return score, 'n' end
end

local function put(entries_of)
  for _, entries in pairs(entries_of) do
    if #entries > 0 then redis.call('ZADD', waiting, unpack(entries)) end
  end
  for id, lane in pairs(lane_of) do redis.call('HSET', lanes, id, lane) end
end

local function move(id, _, due) redis.call('ZADD', waiting, due, id) end

local function end_leases(call, ids) return call('ZREM', leases, unpack(ids)) end

local function take_out(call, ids) return call('ZREM', waiting, unpack(ids)) end
