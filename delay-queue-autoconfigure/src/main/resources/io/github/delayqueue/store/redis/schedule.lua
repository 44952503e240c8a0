-- Stores tasks, each replacing or being rejected in favour of a task of the same id.
--
-- KEYS: the indexes, hashes and meta of one queue, see the locals below
-- ARGV: now in us or '' for the server's clock, wake channel, then for each task:
--       id, envelope, priority ('high' | 'normal' | 'low'), due, 'replace' | 'reject'
--       due is '+<ms>' after now, or '<ms>' since the epoch; what is past means now
-- Returns for each task: 0 created, 1 replaced, 2 rejected; last of all, if consumers could not be woken, why
--
-- The first write is HSET, which a server without memory refuses: nothing has changed then.

local index = { high = KEYS[2], normal = KEYS[1], low = KEYS[3] }
local leases, tasks, deliveries, errors = KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local dead, completed, meta = KEYS[8], KEYS[9], KEYS[10]
local wake_channel = ARGV[2]
local LAYOUT, STRIDE = 1, 5
local MAX_DUE = 253402300799999 -- end of the year 9999

if redis.replicate_commands then redis.replicate_commands() end

local now_us
if ARGV[1] == '' then
  local time = redis.call('TIME')
  now_us = tonumber(time[1]) * 1000000 + tonumber(time[2])
else
  now_us = tonumber(ARGV[1])
end
local now_floor, now_ceil = math.floor(now_us / 1000), math.ceil(now_us / 1000)

local function due_of(text)
  local ms = tonumber(text)
  if text:sub(1, 1) ~= '+' then return math.max(ms, now_floor) end
  if ms == 0 then return now_floor end
  return math.min(now_ceil + ms, MAX_DUE)
end

local function head(key)
  return tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]) or math.huge
end

-- read: what becomes of each task, as if they came one after the other
local planned, order, known_before = {}, {}, {}
local replies, accepted, replaced, orphans = {}, 0, 0, 0
for i = 3, #ARGV, STRIDE do
  local id = ARGV[i]
  local known, orphan = planned[id] ~= nil, false
  if not known then
    known = redis.call('HEXISTS', tasks, id) == 1
    orphan = not known and redis.call('ZSCORE', dead, id) ~= false
    known = known or orphan
  end
  if known and ARGV[i + 4] == 'reject' then
    replies[#replies + 1] = 2
  else
    replies[#replies + 1] = known and 1 or 0
    accepted = accepted + 1
    if planned[id] == nil then
      order[#order + 1] = id
      if known then known_before[#known_before + 1] = id end
      if orphan then orphans = orphans + 1 end
    end
    if known then replaced = replaced + 1 end
    planned[id] = { envelope = ARGV[i + 1], priority = ARGV[i + 2], due = due_of(ARGV[i + 3]) }
  end
end
if accepted == 0 then return replies end

local envelopes, by_index, earliest = {}, {}, math.huge
for _, id in ipairs(order) do
  local task = planned[id]
  envelopes[#envelopes + 1] = id
  envelopes[#envelopes + 1] = task.envelope
  local entries = by_index[task.priority]
  if not entries then
    entries = {}
    by_index[task.priority] = entries
  end
  entries[#entries + 1] = task.due
  entries[#entries + 1] = id
  earliest = math.min(earliest, task.due)
end

-- a head that is due already (or not later) has woken its consumers: look at all indexes only if need be
local wakes = true
for priority, _ in pairs(by_index) do
  wakes = wakes and earliest < head(index[priority])
end
wakes = wakes and earliest < math.min(head(index.high), head(index.normal), head(index.low))

-- write
redis.call('HSET', tasks, unpack(envelopes))
if #known_before > 0 then
  for _, key in pairs(index) do redis.call('ZREM', key, unpack(known_before)) end
  redis.call('ZREM', leases, unpack(known_before))
  -- a completed task has been counted as such: it is not replaced in the sense of the totals
  replaced = replaced - redis.call('ZREM', completed, unpack(known_before))
  redis.call('ZREM', dead, unpack(known_before))
  redis.call('HDEL', deliveries, unpack(known_before))
  redis.call('HDEL', errors, unpack(known_before))
  if orphans > 0 then redis.call('HINCRBY', meta, 'orphans', -orphans) end
end
for priority, entries in pairs(by_index) do redis.call('ZADD', index[priority], unpack(entries)) end
if redis.call('HINCRBY', meta, 'scheduled', accepted) == accepted then
  redis.call('HSET', meta, 'layout', LAYOUT)
end
if replaced > 0 then redis.call('HINCRBY', meta, 'replaced', replaced) end
if wakes then
  local published = redis.pcall('PUBLISH', wake_channel, string.format('%.0f', math.max(0, earliest * 1000 - now_us)))
  if type(published) == 'table' then replies[#replies + 1] = published.err end
end
return replies
