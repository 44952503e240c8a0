-- Stores tasks, each replacing or being rejected in favour of a task of the same id.
--
-- KEYS: the indexes, hashes and meta of one queue, see the locals below
-- ARGV: now in us or '' for the server's clock, wake channel, the numbers of partitions that the caller believes in
--       or '', then for each task:
--       id, envelope, priority ('high' | 'normal' | 'low'), due, 'replace' | 'reject' | 'new'
--       due is '+<ms>' after now, or '<ms>' since the epoch; what is past means now
--       'new' is an id that has never been used: it is not looked for, and replaces if it is there all the same
-- Returns for each task: 0 created, 1 replaced, 2 rejected; last of all, if consumers could not be woken, why;
--         an error with the numbers of partitions that are known, if they are others
--
-- The first write is HSET, which a server without memory refuses: nothing has changed then.

local index = { high = KEYS[2], normal = KEYS[1], low = KEYS[3] }
local leases, tasks, deliveries, errors = KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local dead, completed, meta = KEYS[8], KEYS[9], KEYS[10]
local wake_channel, believed = ARGV[2], ARGV[3]
local LAYOUT, STRIDE = 1, 5
local MAX_DUE = 253402300799999 -- end of the year 9999

if redis.replicate_commands then redis.replicate_commands() end

local now_us = tonumber(ARGV[1])
if not now_us then
  local time = redis.call('TIME')
  now_us = tonumber(time[1]) * 1000000 + tonumber(time[2])
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
local replies, accepted, orphans, all_new = {}, 0, 0, true
local order, place, envelopes, priorities, dues = {}, {}, {}, {}, {}
local due, due_text
local known_of_queue = redis.call('HMGET', meta, 'orphans', 'partitions')
local has_orphans = (tonumber(known_of_queue[1]) or 0) > 0
local partitions = known_of_queue[2]
if believed ~= '' and (partitions or '1') ~= believed then
  return redis.error_reply('PARTITIONS ' .. (partitions or 'unknown'):sub(1, 1024))
end
for i = 4, #ARGV, STRIDE do
  local id, policy = ARGV[i], ARGV[i + 4]
  local at, orphan = place[id], false
  local known = at ~= nil
  if not known and policy ~= 'new' then
    all_new = false
    known = redis.call('HEXISTS', tasks, id) == 1
    orphan = has_orphans and not known and redis.call('ZSCORE', dead, id) ~= false
    known = known or orphan
  end
  if known and policy == 'reject' then
    replies[#replies + 1] = 2
  else
    replies[#replies + 1] = known and 1 or 0
    accepted = accepted + 1
    if not at then
      at = #order + 1
      order[at], place[id], envelopes[2 * at - 1] = id, at, id
      if orphan then orphans = orphans + 1 end
    end
    -- many that come together are due together
    if ARGV[i + 3] ~= due_text then
      due_text = ARGV[i + 3]
      due = due_of(due_text)
    end
    envelopes[2 * at], priorities[at], dues[at] = ARGV[i + 1], ARGV[i + 2], due
  end
end
if accepted == 0 then return replies end

local by_index, earliest = {}, math.huge
for at, id in ipairs(order) do
  local entries = by_index[priorities[at]]
  if not entries then
    entries = {}
    by_index[priorities[at]] = entries
  end
  entries[#entries + 1] = dues[at]
  entries[#entries + 1] = id
  if dues[at] < earliest then earliest = dues[at] end
end

-- a head that is due already (or not later) has woken its consumers: look at all indexes only if need be
local wakes = true
for priority, _ in pairs(by_index) do
  local earlier = earliest < head(index[priority])
  wakes = wakes and earlier
end
wakes = wakes and earliest < math.min(head(index.high), head(index.normal), head(index.low))

-- pcall: a total that is no number must not end the step half-way; a check finds it
local function count(field, by)
  return by ~= 0 and redis.pcall('HINCRBY', meta, field, by)
end

-- write
local created = redis.call('HSET', tasks, unpack(envelopes))
local replaced = accepted - #order
-- also of ids without a record: what was left of them must not get hold of the task
if not (all_new and created == #order) then
  -- (pcall: a key of another type holds none of our tasks; those that are added to have been read)
  local function remove(command, key)
    local removed = redis.pcall(command, key, unpack(order))
    return type(removed) == 'number' and removed or 0
  end
  for _, key in ipairs({ index.normal, index.high, index.low, leases, dead }) do replaced = replaced + remove('ZREM', key) end
  -- a completed task has been counted as such: it is not replaced in the sense of the totals
  remove('ZREM', completed)
  remove('HDEL', deliveries)
  remove('HDEL', errors)
  count('orphans', -orphans)
end
for priority, entries in pairs(by_index) do redis.call('ZADD', index[priority], unpack(entries)) end
if count('scheduled', accepted) == accepted then
  redis.call('HSET', meta, 'layout', LAYOUT)
end
count('replaced', replaced)
if wakes then
  local published = redis.pcall('PUBLISH', wake_channel, string.format('%.0f', math.max(0, earliest * 1000 - now_us)))
  if type(published) == 'table' then replies[#replies + 1] = published.err end
end
return replies
