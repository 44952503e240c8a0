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
local token, limit, lease_duration, deadline_us = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(ARGV[8])
local MAX_HOLDERS = 2000
local DAY_MS = 86400000 -- microseconds of the year 9999 would not fit into a number
local MAX_DUE = 253402300799999 -- end of the year 9999

-- part: layout.lua
-- part: time.lua
if deadline_us and now_us > deadline_us then return { now_us } end

local state = redis.call('HMGET', meta, 'paused', 'layout', 'table', 'holders', 'hour', 'tended')
local paused, layout, holders = state[1] == '1', state[2], (state[4] or ''):sub(1, MAX_HOLDERS)
if layout and not is_readable(layout) then
  return redis.error_reply('LAYOUT the queue has layout version ' .. layout:sub(1, 20) .. ', this version understands ' .. LAYOUT)
end
-- what is no name counts as missing
local kept_in = state[3] and #state[3] <= 64 and state[3]:match('^[A-Za-z0-9_-]+$')
if kept_in and kept_in ~= ARGV[11] then return redis.error_reply('TABLE ' .. kept_in) end

local function int(number) return string.format('%.0f', number) end
-- pcall: a key that is not written may be of another type
local function size(key) return tonumber(redis.pcall('ZCARD', key)) or math.huge end

-- part: heads.lua

-- read: the totals, if nobody has noted them in this hour, before this claim adds to them
local hour = math.floor(now / 3600000)
local totals = hour ~= tonumber(state[5] or 0)
  and redis.call('HMGET', meta, 'completed', 'retried', 'buried', 'late', 'handling', 'scheduled')

-- parts of the terms lower the limit, say when another claim is worth making, and note what was taken
local argument, limited, took = 11, {}, {}
-- files of parts

local first, in_flight, left = earliest({}, {}), firsts[leases][1], 0
local reply, orphan_ids = {}, {}
if not paused and limit >= 1 and first <= now then
  -- part: take.lua
end

local wake_us = -1
if not paused and first < math.huge then
  wake_us = math.max(0, math.min(first, now + DAY_MS) * 1000 - now_us)
  for i = 1, #limited do wake_us = limited[i](wake_us, #reply / 4) end
end
-- part: hour.lua
-- part: untended.lua
return { now_us, wake_us, paused and 1 or 0, reply, orphan_ids, left > 0 and 1 or 0, in_flight and holders or '', untended and 1 or 0 }
