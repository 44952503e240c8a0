-- Figures of a queue. Changes nothing.
--
-- KEYS: the indexes, deliveries and meta of one queue, see the locals below
-- ARGV: now in us or '' for the server's clock, then bounds of delays in ms, ascending
-- Returns { now in us, scheduled, due, in flight, lost leases, retrying, dead, completed,
--           due time in ms of the oldest due task or -1, of the first that is not due or -1,
--           fields and values of the meta hash, as far as they are known here and no longer than ours,
--           of the tasks that are not due, how many are so before each bound but not before the one below, and how many later,
--           dead within the last hour, when the first of the expired leases ran out in ms or -1 }

local leases, deliveries, dead, completed, meta = KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local MAX_DUE = 253402300799999 -- end of the year 9999
local HOUR = 3600000 -- ms
local MAX_VALUE = 1024 -- bytes of a value of the meta hash; those of ours have fewer
local META = { 'scheduled', 'completed', 'retried', 'buried', 'cancelled', 'replaced', 'cleared', 'purged', 'redriven',
  'expired', 'stale', 'orphans', 'paused', 'partitions' }

local index, scheduled = {}, 0 -- of the indexes, those that have tasks: an overview asks this of a thousand queues
for i = 1, 3 do
  local tasks = redis.call('ZCARD', KEYS[i])
  if tasks > 0 then index[#index + 1] = KEYS[i] end
  scheduled = scheduled + tasks
end

-- part: time.lua
-- part: waiting.lua

local present = string.format('%.0f', now)

local due = due_by(present)
local oldest, next_due = due > 0 and first_from('-inf') or math.huge, first_from('(' .. present)
local in_flight, expired = redis.call('ZCARD', leases), redis.call('ZCOUNT', leases, '-inf', present)
local dead_now, completed_now = redis.call('ZCARD', dead), redis.call('ZCARD', completed)
local died = redis.call('ZCOUNT', dead, '(' .. string.format('%.0f', now - HOUR), '+inf')
local ran_out = expired > 0 and tonumber(redis.call('ZRANGE', leases, 0, 0, 'WITHSCORES')[2]) or math.huge

local names, fields, orphans = {}, {}, nil
for _, name in ipairs(META) do
  local bytes = redis.call('HSTRLEN', meta, name)
  if bytes > 0 and bytes <= MAX_VALUE then names[#names + 1] = name end
end
for i, value in ipairs(#names > 0 and redis.call('HMGET', meta, unpack(names)) or {}) do
  fields[2 * i - 1], fields[2 * i] = names[i], value
  if names[i] == 'orphans' then orphans = value end
end

-- whoever is in flight, completed, or dead with a record has a delivery record; so have the scheduled ones that retry
orphans = tonumber(string.match(orphans or '', '^%d+$') or 0)
local retrying = math.max(0, redis.call('HLEN', deliveries) - in_flight - completed_now - (dead_now - orphans))

local delays, counted = {}, 0
for i = 2, #ARGV do
  local before = counted < scheduled - due and due_by(string.format('(%.0f', now + tonumber(ARGV[i]))) - due or counted
  delays[#delays + 1] = before - counted
  counted = before
end
delays[#delays + 1] = scheduled - due - counted

-- scores that are no time of ours, infinite ones included, would not fit into an integer
local function millis(score) return score == math.huge and -1 or math.max(0, math.min(score, MAX_DUE)) end
return { now_us, scheduled, due, in_flight, expired, retrying, dead_now, completed_now, millis(oldest), millis(next_due),
  fields, delays, died, millis(ran_out) }
