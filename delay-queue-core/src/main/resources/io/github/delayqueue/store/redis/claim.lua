-- Takes tasks into flight: lost leases, then due tasks.
--
-- KEYS: the indexes, hashes, meta and hours of one queue, see the locals below
-- ARGV: now in us or '' for the server's clock, token, limit, how many lost leases at most, lease duration in ms,
--       bytes of envelopes and failures after which no further task is taken, '1' to take the oldest whatever its priority,
--       time in us after which the caller is gone and nothing is to be done, or '',
--       how many leases a task may lose or '', '1' to take one task that may lose no further lease, '0' to take none,
--       id of the table that the caller keeps the tasks of the queue in, or '', then an argument for each part of the terms
-- Returns { now in us, us until a claim is worth making (at most a day) or -1, 1 if paused,
--           { id, envelope, 'failures:expiries:priority:due', what errors has or false for each task },
--           ids found without a record, 1 if it left tasks that may lose no further lease, who may hold leases,
--           1 if it is time to tend the queue };
--           ':expired' follows where the lease of another delivery had run out;
--           only { now in us } if it came too late;
--         an error with the id of the table that the tasks are kept in, if it is another
--
-- The first write is ZREM, ZREMRANGEBYRANK, LTRIM or HDEL: they work on a server without memory.

local index = { h = KEYS[2], n = KEYS[1], l = KEYS[3] }
local leases, tasks, deliveries, errors, dead, completed, meta, hours = unpack(KEYS, 4)
local places = { index.h, index.n, index.l, leases }
local token, limit, expired_limit, lease_duration = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local max_bytes, oldest_first = tonumber(ARGV[6]), ARGV[7] == '1'
local deadline_us = tonumber(ARGV[8])
local max_expiries, chances = tonumber(ARGV[9]), ARGV[10] == '0' and 0 or 1
local MAX_HOLDERS = 2000
local DAY_MS = 86400000 -- microseconds of the year 9999 would not fit into a number
local MAX_DUE, MAX_COUNT = 253402300799999, 2147483647 -- end of the year 9999; a Java int

-- part: layout.lua
-- part: time.lua
if deadline_us and now_us > deadline_us then return { now_us } end

local state = redis.call('HMGET', meta, 'paused', 'layout', 'table', 'holders', 'orphans', 'full', 'scheduled', 'hour',
  'tended')
local paused, layout, holders = state[1] == '1', state[2], (state[4] or ''):sub(1, MAX_HOLDERS)
if layout and not is_readable(layout) then
  return redis.error_reply('LAYOUT the queue has layout version ' .. layout:sub(1, 20) .. ', this version understands ' .. LAYOUT)
end
-- what is no name counts as missing
local kept_in = state[3] and #state[3] <= 64 and state[3]:match('^[A-Za-z0-9_-]+$')
if kept_in and kept_in ~= ARGV[11] then return redis.error_reply('TABLE ' .. kept_in) end

local function int(number) return string.format('%.0f', number) end
local function bounded(number, most) return math.max(0, math.min(tonumber(number) or 0, most)) end
-- pcall: a key that is not written may be of another type
local function size(key) return tonumber(redis.pcall('ZCARD', key)) or math.huge end

-- part: heads.lua
-- part: untended.lua
-- part: hour.lua

-- parts of the terms lower the limit, say when another claim is worth making, and note what was taken
local argument, limited, took = 11, {}, {}
-- files of parts

local in_flight = firsts[leases][2]

local function answer(first, orphan_ids, reply, leaves)
  note_hour()
  local wake_us = -1
  if not paused and first < math.huge then
    wake_us = math.max(0, math.min(first, now + DAY_MS) * 1000 - now_us)
    for _, later in ipairs(limited) do wake_us = later(wake_us, #reply / 4) end
  end
  return { now_us, wake_us, paused and 1 or 0, reply, orphan_ids, leaves and 1 or 0, in_flight and holders or '',
    is_untended(#reply + #orphan_ids) and 1 or 0 }
end

local first = earliest({}, {})
if paused or limit < 1 or first > now then return answer(first, {}, {}) end

-- read: what can be taken, in the order of delivery; leases that have run out have no priority here
local ids, priorities, dues, records, found = {}, {}, {}, {}, 0

-- part: last_chance.lua
-- part: values.lua
-- part: windows.lua

local most_expired = math.min(expired_limit, math.max(1, math.floor(limit / 2)))
if most_expired > 0 then chances = add(leases, nil, most_expired, 1, chances) end
-- part: due_tasks.lua

-- read: their envelopes. What the writes below are made of
local deadline = int(math.min(now + lease_duration, MAX_DUE))
local taken, expired, orphan_ids, leaving = 0, 0, {}, {}
local lease_entries, new_records, reply = {}, {}, {}

-- part: slice.lua
-- part: envelopes.lua
read_envelopes()
if #orphan_ids > 0 then
  -- read: a key of another type is refused before anything is written; the others have been read
  redis.call('ZCARD', dead)
  redis.call('HLEN', errors)
end

-- write: leave the old places first; of each index those that were its first
-- part: count.lua
for key, gone in pairs(leaving) do
  if left_before[key] then
    redis.call('ZREM', key, unpack(left_before[key]))
  else
    redis.call('ZREMRANGEBYRANK', key, '0', gone - 1)
  end
end
if #orphan_ids > 0 then
  for _, id in ipairs(orphan_ids) do redis.call('ZADD', dead, int(now), id) end
  redis.call('HDEL', deliveries, unpack(orphan_ids))
  redis.call('HDEL', errors, unpack(orphan_ids))
  count('orphans', #orphan_ids)
  count('buried', #orphan_ids)
end
if taken > 0 then
  redis.call('ZADD', leases, unpack(lease_entries))
  redis.call('HSET', deliveries, unpack(new_records))
  count('expired', expired)
  local holder = token:match('^%w+[~?]')
  if holder and not holders:find(holder, 1, true) then
    holders = (holder .. holders):sub(1, MAX_HOLDERS)
    redis.call('HSET', meta, 'holders', holders)
  end
  for _, note in ipairs(took) do note(taken) end
end
note_taken(reply, orphan_ids)

first = (left > 0 and taken == 0) and earliest_later() or earliest(leaving, left_before)
if taken > 0 then first = math.min(first, tonumber(deadline)) end
in_flight = taken > 0 or redis.call('ZCARD', leases) > 0
return answer(first, orphan_ids, reply, left > 0)
