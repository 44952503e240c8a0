-- Takes tasks into flight: removes what the retentions allow, then takes expired leases, then due tasks.
--
-- KEYS: the indexes, hashes and meta of one queue, see the locals below
-- ARGV: now in us or '' for the server's clock, token, limit, how many expired ones at most, ttr in ms,
--       bytes of envelopes after which no further task is taken, '1' to take the oldest whatever its priority,
--       retention of completed tasks in ms, retention of dead ones in ms or '', how many dead ones to keep or '',
--       time in us after which the caller is gone and nothing is to be done, or ''
-- Returns { now in us, us until a claim could succeed (at most a day) or -1, 1 if paused, ids of dead tasks removed,
--           ids found without a record, { id, envelope, 'failures:expiries:priority:due' for each task },
--           how many partitions the queue has, as far as is known here };
--           ':expired' follows where the lease of another delivery had run out;
--           only { now in us } if it came too late
--
-- The first write is ZREM: it works on a server without memory.

local index = { h = KEYS[2], n = KEYS[1], l = KEYS[3] }
local leases, tasks, deliveries, errors = KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local dead, completed, meta = KEYS[8], KEYS[9], KEYS[10]
local token, limit, expired_limit, ttr = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local max_bytes, oldest_first = tonumber(ARGV[6]), ARGV[7] == '1'
local keep_completed, keep_dead, max_dead = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local deadline_us = tonumber(ARGV[11])
local LAYOUT, TRIM, SLICE = '1', 100, 20
local DAY_MS = 86400000 -- microseconds of the year 9999 would not fit into a number
local MAX_DUE, MAX_COUNT = 253402300799999, 2147483647 -- end of the year 9999; a Java int

if redis.replicate_commands then redis.replicate_commands() end

local now_us
if ARGV[1] == '' then
  local time = redis.call('TIME')
  now_us = tonumber(time[1]) * 1000000 + tonumber(time[2])
else
  now_us = tonumber(ARGV[1])
end
local now = math.floor(now_us / 1000)
if deadline_us and now_us > deadline_us then return { now_us } end

local state = redis.call('HMGET', meta, 'paused', 'layout', 'partitions')
local paused, layout = state[1] == '1', state[2]
local partitions = state[3] and tonumber(state[3]:match('^%d%d?%d?')) or 1
if layout and layout ~= LAYOUT then
  return redis.error_reply('LAYOUT the queue has layout version ' .. layout:sub(1, 20) .. ', this version understands '
    .. LAYOUT)
end

local function int(number) return string.format('%.0f', number) end
local function bounded(number, most) return math.max(0, math.min(tonumber(number) or 0, most)) end

-- read: a key of another type is refused before anything is written
for _, key in ipairs({ index.h, index.n, index.l, leases, dead, completed }) do redis.call('ZCARD', key) end
for _, key in ipairs({ tasks, deliveries, errors, meta }) do redis.call('HLEN', key) end

-- read: what is over for longer than it is to be kept
local old_completed = redis.call('ZRANGE', completed, '-inf', int(now - keep_completed), 'BYSCORE', 'LIMIT', 0, TRIM)
local surplus = 0
if keep_dead then surplus = redis.call('ZCOUNT', dead, '-inf', int(now - keep_dead)) end
if max_dead then surplus = math.max(surplus, redis.call('ZCARD', dead) - max_dead) end
local old_dead = {}
if surplus > 0 then old_dead = redis.call('ZRANGE', dead, 0, math.min(surplus, TRIM) - 1) end

-- read: what can be taken, as { id, where, due }, in the order of delivery
local candidates = {}
if not paused and expired_limit > 0 then
  local most = math.min(expired_limit, math.max(1, math.floor(limit / 2)))
  for _, id in ipairs(redis.call('ZRANGE', leases, '-inf', int(now), 'BYSCORE', 'LIMIT', 0, most)) do
    candidates[#candidates + 1] = { id = id }
  end
end
if not paused and #candidates < limit then
  local rank, found = { h = 1, n = 2, l = 3 }, {}
  for _, priority in ipairs({ 'h', 'n', 'l' }) do
    local wanted = oldest_first and limit - #candidates or limit - #candidates - #found
    if wanted > 0 then
      local due = redis.call('ZRANGE', index[priority], '-inf', int(now), 'BYSCORE', 'LIMIT', 0, wanted, 'WITHSCORES')
      for i = 1, #due, 2 do
        found[#found + 1] = { id = due[i], priority = priority, due = tonumber(due[i + 1]), order = #found }
      end
    end
  end
  if oldest_first then
    table.sort(found, function(a, b)
      if a.due ~= b.due then return a.due < b.due end
      return a.order < b.order
    end)
  end
  for i = 1, math.min(#found, limit - #candidates) do candidates[#candidates + 1] = found[i] end
end

-- read: records, in slices so that large envelopes are not read in vain
local taken, orphans, bytes, position = {}, {}, 0, 1
while position <= #candidates and (#taken == 0 or bytes < max_bytes) do
  local ids = {}
  for i = position, math.min(position + SLICE - 1, #candidates) do ids[#ids + 1] = candidates[i].id end
  local envelopes, records = redis.call('HMGET', tasks, unpack(ids)), redis.call('HMGET', deliveries, unpack(ids))
  for i = 1, #ids do
    if #taken > 0 and bytes >= max_bytes then break end
    local task = candidates[position]
    position = position + 1
    if envelopes[i] then
      bytes = bytes + #envelopes[i]
      task.envelope = envelopes[i]
      local failures, expiries, priority, due
      if records[i] then
        failures, expiries, priority, due = string.match(records[i], '^(%d+):(%d+):([hnl]):(%d+):')
      end
      task.expired = task.priority == nil
      task.failures, task.expiries = int(bounded(failures, MAX_COUNT)), bounded(expiries, MAX_COUNT - 1)
      if task.expired then
        task.expiries, task.priority, task.due = task.expiries + 1, priority or 'n', due or now
      end
      task.expiries, task.due = int(task.expiries), int(bounded(task.due, MAX_DUE))
      taken[#taken + 1] = task
    else
      orphans[#orphans + 1] = task
    end
  end
end

-- write: leave the old places first
-- pcall: a total that is no number must not end the step half-way; a check finds it
local function count(field, by)
  if by ~= 0 then redis.pcall('HINCRBY', meta, field, by) end
end

if #old_completed > 0 then
  redis.call('ZREM', completed, unpack(old_completed))
  redis.call('HDEL', tasks, unpack(old_completed))
  redis.call('HDEL', deliveries, unpack(old_completed))
end
if #old_dead > 0 then
  redis.call('ZREM', dead, unpack(old_dead))
  local with_record = redis.call('HDEL', tasks, unpack(old_dead))
  redis.call('HDEL', deliveries, unpack(old_dead))
  redis.call('HDEL', errors, unpack(old_dead))
  count('purged', #old_dead)
  count('orphans', with_record - #old_dead)
end
local leaving = {}
for _, list in ipairs({ taken, orphans }) do
  for _, task in ipairs(list) do
    local key = (task.expired or not task.priority) and leases or index[task.priority]
    leaving[key] = leaving[key] or {}
    table.insert(leaving[key], task.id)
  end
end
for key, ids in pairs(leaving) do redis.call('ZREM', key, unpack(ids)) end

local orphan_ids = {}
if #orphans > 0 then
  local entries = {}
  for _, task in ipairs(orphans) do
    orphan_ids[#orphan_ids + 1] = task.id
    entries[#entries + 1] = int(now)
    entries[#entries + 1] = task.id
  end
  redis.call('ZADD', dead, unpack(entries))
  redis.call('HDEL', deliveries, unpack(orphan_ids))
  redis.call('HDEL', errors, unpack(orphan_ids))
  count('orphans', #orphans)
  count('buried', #orphans)
end

local reply = {}
if #taken > 0 then
  local deadline, entries, records, expired = int(math.min(now + ttr, MAX_DUE)), {}, {}, 0
  for _, task in ipairs(taken) do
    local record = task.failures .. ':' .. task.expiries .. ':' .. task.priority .. ':' .. task.due
    entries[#entries + 1] = deadline
    entries[#entries + 1] = task.id
    records[#records + 1] = task.id
    records[#records + 1] = record .. ':' .. token
    reply[#reply + 1] = task.id
    reply[#reply + 1] = task.envelope
    reply[#reply + 1] = task.expired and record .. ':expired' or record
    if task.expired then expired = expired + 1 end
  end
  redis.call('ZADD', leases, unpack(entries))
  redis.call('HSET', deliveries, unpack(records))
  count('expired', expired)
end

local wake_us = -1
if not paused then
  local earliest = math.huge
  for _, key in ipairs({ index.h, index.n, index.l, leases }) do
    earliest = math.min(earliest, tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]) or math.huge)
  end
  if earliest < math.huge then wake_us = math.max(0, math.min(earliest, now + DAY_MS) * 1000 - now_us) end
end
return { now_us, wake_us, paused and 1 or 0, old_dead, orphan_ids, reply, partitions }
