-- Texts that are others when the figures of queues have changed, but for retries and totals other than that of completed tasks.
-- Changes nothing.
--
-- KEYS: of each queue the indexes, leases, dead, meta; several queues where all keys are on one server
-- ARGV: now in us or '' for the server's clock
-- Returns for each queue the text, or '' if its figures change with time alone, or nothing can be told

local OF_A_QUEUE = 6
local MAX_DUE = 253402300799999 -- end of the year 9999; a part of the library may keep a queue in another way
local MAX_VALUE = 20 -- bytes of a value of the meta hash

-- part: time.lua

local function glance(at)
  local leases, dead, meta = KEYS[at + 4], KEYS[at + 5], KEYS[at + 6]
  local said = {}
  for i = 1, 3 do
    local due = redis.call('ZRANGE', KEYS[at + i], 0, 0, 'WITHSCORES')[2]
    if due and (tonumber(due) <= now or tonumber(due) > MAX_DUE) then return '' end
    said[i] = due and due .. ' ' .. redis.call('ZCARD', KEYS[at + i]) or ''
  end
  if redis.call('ZCARD', leases) > 0 then return '' end
  said[4] = redis.call('ZCARD', dead)
  for _, name in ipairs({ 'completed', 'paused' }) do
    if redis.call('HSTRLEN', meta, name) > MAX_VALUE then return '' end
    said[#said + 1] = redis.call('HGET', meta, name) or ''
  end
  return table.concat(said, ',')
end

local texts = {}
for at = 0, #KEYS - 1, OF_A_QUEUE do
  -- pcall: one key of another type hides no other queue
  local told, text = pcall(glance, at)
  texts[#texts + 1] = told and text or ''
end
return texts
