-- Ends deliveries, each only if it still holds its task.
--
-- KEYS: the indexes, hashes and meta of one queue, see the locals below
-- ARGV: now in us or '' for the server's clock, wake channel, of all deliveries: how many handlers began late,
--       time in us that handlers took, then for deliveries that end in the same way:
--       token, action, '1' if it counts as a failure, delay in ms or '' for the old due time,
--       description of the failure or, for 'repeat', of the run, or '' to leave what is kept, how many deliveries, the id of each
--       action is 'complete' (forget) | 'keep' (completed, kept) | 'retry' | 'bury' | 'release' |
--       'drop' (forget, and count as cancelled) | 'repeat' (a run of a recurring task is done) |
--       'skip' (it is not to be); of these two the delay is the next due time, in ms since the epoch, or '+<ms>' after now
-- Returns for each delivery: 1 applied, 0 stale; last of all, if consumers could not be woken, why
--
-- The first write is ZREM: it works on a server without memory, and refuses leases of another type before anything is written.

local index = { h = KEYS[2], n = KEYS[1], l = KEYS[3] }
local leases, tasks, deliveries, errors, dead, completed, meta = unpack(KEYS, 4)
local arguments, wake_channel = ARGV, ARGV[2]
local MAX_DUE, MAX_COUNT = 253402300799999, 2147483647 -- end of the year 9999; a Java int

local function int(number) return string.format('%.0f', number) end

-- the deliveries, and where what they have in common begins among the arguments; most calls need no time
local ids, ways, timed = {}, {}, false
local n, way = 0, 5
while way <= #arguments do
  local last = way + 5 + tonumber(arguments[way + 5])
  timed = timed or arguments[way + 1] ~= 'complete' and arguments[way + 1] ~= 'drop'
  for i = way + 6, last do
    n = n + 1
    ids[n], ways[n] = arguments[i], way
  end
  way = last + 1
end
if redis.replicate_commands then redis.replicate_commands() end
local read_us = 0
if timed then
  -- part: time.lua
  read_us = now_us
end
local now_floor, now_ceil = math.floor(read_us / 1000), math.ceil(read_us / 1000)

-- part: values.lua

-- read: which deliveries still hold their task; the second of two for one task is stale
local full = redis.call('HGET', meta, 'full') -- consumers wait for a task to end
local any_errors = redis.call('HLEN', errors) > 0
local records = values_of(deliveries, MAX_RECORD, ids, 1, #ids)
local replies, settled, stale, totals = {}, {}, 0, {}
local held, forgotten, forgotten_now, dropped = {}, {}, 0, 0
local earliest = math.huge -- when the first of those is due that are scheduled again
local goes_on, write_others

-- part: scheduled.lua
if timed then
  -- part: endings.lua
end

-- tasks that were claimed together often have the same record
local last_record, failures, expiries, priority, due, holder
for n, id in ipairs(ids) do
  local i = ways[n]
  local token, action = arguments[i], arguments[i + 1]
  if records[n] ~= last_record then
    last_record = records[n]
    failures, expiries, priority, due, holder = string.match(last_record or '', '^(%d+):(%d+):([hnl]):(%d+):(.+)$')
  end
  if holder ~= token or settled[id] then
    replies[n] = 0
    stale = stale + 1
  else
    replies[n] = 1
    settled[id] = true
    if action == 'complete' or action == 'drop' then
      forgotten_now = forgotten_now + 1
      forgotten[forgotten_now] = id
      if action == 'drop' then dropped = dropped + 1 end
    else
      goes_on(id, action, i, failures, expiries, priority, due)
    end
  end
end
totals.completed, totals.cancelled = (totals.completed or 0) + forgotten_now - dropped, dropped
-- by the share that was applied: what is stale was counted before, if its answer was lost and it is sent again with others
totals.late = math.floor(tonumber(arguments[3]) * (n - stale) / n)
totals.handling = math.floor(tonumber(arguments[4]) * (n - stale) / n)

-- read: a key of another type is refused before anything is written
if forgotten_now > 0 then redis.call('HLEN', tasks) end
local wakes = false
if earliest < math.huge then
  local earliest_before = first_due()
  wakes = earliest < earliest_before and earliest_before > now_floor
end
local makes_room = full and stale < n
if makes_room then wakes, earliest = true, 0 end

-- part: count.lua

-- write: leave the leases first
if #held > 0 then end_leases(redis.call, held) end
if forgotten_now > 0 then
  end_leases(redis.call, forgotten)
  redis.call('HDEL', tasks, unpack(forgotten))
  redis.call('HDEL', deliveries, unpack(forgotten))
  if any_errors then redis.call('HDEL', errors, unpack(forgotten)) end
end
if #held > 0 then write_others() end
if makes_room then redis.call('HDEL', meta, 'full') end
for field, by in pairs(totals) do count(field, by) end
-- pcall: where nothing was applied this is the first write, and may be refused for want of memory
count('stale', stale)
if wakes then
  local published = redis.pcall('PUBLISH', wake_channel, int(math.max(0, earliest * 1000 - read_us)))
  if type(published) == 'table' then replies[#replies + 1] = published.err end
end
return replies
