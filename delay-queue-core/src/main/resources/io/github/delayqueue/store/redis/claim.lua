-- Takes tasks into flight: lost leases, then due tasks.
--
-- KEYS: the indexes, hashes and meta of one queue, see the locals below
-- ARGV: now in us or '' for the server's clock, token, limit, how many lost leases at most, ttr in ms,
--       bytes of envelopes and failures after which no further task is taken, '1' to take the oldest whatever its priority,
--       time in us after which the caller is gone and nothing is to be done, or '',
--       how many may be in flight or '', a rate: how many may be taken or '', in how many us or '',
--       how many leases a task may lose or '', '1' to take one task that may lose no further lease, '0' to take none,
--       id of the table that the caller keeps the tasks of the queue in, or ''
-- Returns { now in us, us until a claim is worth making (at most a day) or -1, 1 if paused,
--           { id, envelope, 'failures:expiries:priority:due', what errors has or false for each task },
--           ids found without a record, 1 if it left tasks that may lose no further lease, who may hold leases,
--           1 if it is time to tend the queue };
--           ':expired' follows where the lease of another delivery had run out;
--           only { now in us } if it came too late;
--         an error with the id of the table that the tasks are kept in, if it is another
--
-- The first write is ZREM, ZREMRANGEBYRANK or HDEL: they work on a server without memory.

local index = { h = KEYS[2], n = KEYS[1], l = KEYS[3] }
local leases, tasks, deliveries, errors, dead, completed, meta = unpack(KEYS, 4)
local places = { index.h, index.n, index.l, leases }
local token, limit, expired_limit, ttr = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local max_bytes, oldest_first = tonumber(ARGV[6]), ARGV[7] == '1'
local deadline_us = tonumber(ARGV[8])
local most_in_flight, rate, rate_us = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local max_expiries, chances = tonumber(ARGV[12]), ARGV[13] == '0' and 0 or 1
local LAYOUT, FEW, MAX_HOLDERS = '1', 4, 2000
local WINDOW, MOST_LEFT, MAX_RECORD, MAX_FAILURE = 100, 1000, 1024, 8192
local TEND_EVERY_MS, HOUR_MS = 1000, 3600000
local DAY_MS = 86400000 -- microseconds of the year 9999 would not fit into a number
local MAX_DUE, MAX_COUNT = 253402300799999, 2147483647 -- end of the year 9999; a Java int
local SAVED_US = 100000 -- permits of how long are saved up
local PAUSE_US, AWAY_US = 5000, 50000 -- rest of who took the last permit; of who found none and leaves it to the others

-- part: time.lua
if deadline_us and now_us > deadline_us then return { now_us } end

local state = redis.call('HMGET', meta, 'paused', 'layout', 'rate', 'full', 'orphans', 'hour', 'scheduled', 'holders', 'table',
  'tended')
local paused, layout, holders = state[1] == '1', state[2], (state[8] or ''):sub(1, MAX_HOLDERS)
if layout and layout ~= LAYOUT then
  return redis.error_reply('LAYOUT the queue has layout version ' .. layout:sub(1, 20) .. ', this version understands ' .. LAYOUT)
end
-- what is no name counts as missing
local kept_in = state[9] and #state[9] <= 64 and state[9]:match('^[A-Za-z0-9_-]+$')
if kept_in and kept_in ~= ARGV[14] then return redis.error_reply('TABLE ' .. kept_in) end

local function int(number) return string.format('%.0f', number) end
local function bounded(number, most) return math.max(0, math.min(tonumber(number) or 0, most)) end

-- read: what the limits leave. Permits come in since a time, one in rate_us / rate; taking them moves it
local free, permits, since = math.huge, math.huge, nil
if most_in_flight and not paused then
  free = most_in_flight - redis.call('ZCOUNT', leases, '(' .. int(now), '+inf')
end
if rate then
  local interval = math.ceil(rate_us / rate)
  since = tonumber(string.match(state[3] or '', '^%d+$') or 0)
  if since > now_us then
    since = now_us - interval -- the clock has been set back
  else
    since = math.max(since, now_us - interval - SAVED_US)
  end
  permits = math.floor((now_us - since) * rate / rate_us)
end
limit = math.min(limit, free, permits)
local closed, in_flight = paused or limit < 1, false

-- pcall: a key of another type that is not written need not be read
local function size(key) return tonumber(redis.pcall('ZCARD', key)) or -1 end

local function score_at(key, rank) return redis.call('ZRANGE', key, rank, rank, 'WITHSCORES')[2] end

-- when the earliest task is due or lease runs out; that of each index
local function earliest()
  local first, heads = math.huge, {}
  for _, key in ipairs(places) do
    heads[key] = score_at(key, 0)
    first = math.min(first, tonumber(heads[key]) or math.huge)
  end
  in_flight = heads[leases]
  return first, heads
end

-- after what time the limits allow what could be claimed after another
local function limited(wake_us, taken)
  if wake_us == 0 and free <= taken then
    -- pcall: who settles next is to wake the consumers; if it cannot be noted, they poll
    if not state[4] then redis.pcall('HSET', meta, 'full', '1') end
    local held = redis.call('ZRANGE', leases, '(' .. int(now), '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
    wake_us = math.max(0, math.min(tonumber(held[2] or 0), now + DAY_MS) * 1000 - now_us)
  end
  if permits <= taken then
    wake_us = math.max(wake_us, since + math.ceil(rate_us / rate) - now_us, taken > 0 and PAUSE_US or AWAY_US)
  end
  return math.min(wake_us, DAY_MS * 1000)
end

-- whether it is time to tend the queue: once a second, by whoever claims first. Where nothing happens, nothing is written
local function is_untended(taken)
  local since = now - (tonumber(state[10]) or math.huge)
  if since >= 0 and since < TEND_EVERY_MS then return false end
  local new_hour = state[7] and int(math.floor(now / HOUR_MS)) ~= (state[6] or '0')
  if taken == 0 and not new_hour and size(completed) + size(dead) == 0 then return false end
  redis.pcall('HDEL', meta, 'tended') -- works on a server without memory, and what follows in the same script
  return type(redis.pcall('HSET', meta, 'tended', int(now))) == 'number'
end

local function answer(first, orphan_ids, reply, leaves)
  local wake_us = -1
  if not paused and first < math.huge then
    wake_us = math.max(0, math.min(first, now + DAY_MS) * 1000 - now_us)
    if most_in_flight or rate then wake_us = limited(wake_us, #reply / 4) end
  end
  return { now_us, wake_us, paused and 1 or 0, reply, orphan_ids, leaves and 1 or 0, in_flight and holders or '',
    is_untended(#reply + #orphan_ids) and 1 or 0 }
end

-- read: a key of another type is refused, due tasks or not, before anything is written; the others are read anyway
local without_orphans = redis.call('ZCARD', dead) - (tonumber(state[5]) or 0)
local delivered = redis.call('HLEN', deliveries)
for _, key in ipairs({ tasks, errors }) do redis.call('HLEN', key) end

local first, heads = earliest()
if closed or first > now then return answer(first, {}, {}) end

-- what is in flight, completed, or dead with an envelope has a delivery: if nobody else has, no scheduled task
-- was delivered before, and nothing is to be looked up
local all_fresh = delivered == redis.call('ZCARD', leases) + redis.call('ZCARD', completed) + without_orphans

-- part: values.lua

-- read: what can be taken, in the order of delivery; leases that have run out have no priority here
local ids, priorities, dues, records, found = {}, {}, {}, {}, 0
local left, left_before = 0, {} -- how many tasks have to stay; in which indexes some do

-- whether a task may be taken: one at most of those that die with the next lease they lose. Who ends its process takes the
-- leases of all that run beside along
local function is_last_chance(record, lost)
  local expiries = tonumber(string.match(record, '^%d+:(%d+):') or 0) + lost
  return expiries > 0 and expiries == max_expiries - 1
end

-- adds what may be taken of a window on an index, up to a number of tasks
local function add_window(key, priority, window, scores, known, most, lost, chances_left)
  if not known and found == 0 then
    ids, dues, found = window, scores, #window
    for i = 1, found do priorities[i] = priority end
    return chances_left
  end
  local ids, priorities, dues, n = ids, priorities, dues, found
  for i, id in ipairs(window) do
    if n == most then break end
    local record = known and known[i]
    local last_chance = max_expiries and record and is_last_chance(record, lost)
    if last_chance and chances_left == 0 then
      left, left_before[key] = left + 1, left_before[key] or {}
    else
      if last_chance then chances_left = chances_left - 1 end
      n = n + 1
      ids[n], priorities[n], dues[n], records[n] = id, priority, scores[i], record
    end
  end
  found = n
  return chances_left
end

-- To write out the score of each takes the server longer than to find it, and tasks that were scheduled together often have
-- the same: it is asked for once for all that have it, unless these are few
local function scores_of(key, window, rank)
  local scores, known, score = {}, 0, heads[key]
  while rank == 0 and known < #window do
    if known > 0 then score = score_at(key, known) end
    local rest = #window - known
    local same = rest == 1 and 1 or redis.call('ZCOUNT', key, score, score)
    if same < math.min(rest, FEW) then break end
    for i = known + 1, known + math.min(rest, same) do scores[i] = score end
    known = known + same
  end
  if known < #window then
    local rest = redis.call('ZRANGE', key, rank + known, rank + #window - 1, 'WITHSCORES')
    for i = 2, #rest, 2 do scores[known + i / 2] = rest[i] end
  end
  return scores
end

-- looks beyond tasks that have to stay, but not at any number of them
local function add(key, priority, wanted, lost, chances_left)
  local most, seen, looked_for, window = found + wanted, 0, wanted, nil
  repeat
    window = redis.call('ZRANGE', key, '-inf', int(now), 'BYSCORE', 'LIMIT', seen, looked_for)
    if #window == 0 then break end
    local known = (lost == 1 or not all_fresh) and values_of(deliveries, MAX_RECORD, window, 1, #window)
    local scores = priority and scores_of(key, window, seen) or {}
    chances_left = add_window(key, priority, window, scores, known, most, lost, chances_left)
    if found == most or #window < looked_for or left >= MOST_LEFT then break end
    seen, looked_for = seen + #window, math.max(most - found, WINDOW)
  until false
  return chances_left
end

local most_expired = math.min(expired_limit, math.max(1, math.floor(limit / 2)))
if not closed and most_expired > 0 then chances = add(leases, nil, most_expired, 1, chances) end
local expired_found, mixed = found, false
if not closed then
  for _, priority in ipairs({ 'h', 'n', 'l' }) do
    local before, wanted = found, limit - (oldest_first and expired_found or found)
    if wanted > 0 then
      local chances_left = add(index[priority], priority, wanted, 0, chances)
      if not oldest_first then chances = chances_left end
      mixed = mixed or (found > before and before > expired_found)
    end
  end
end
if oldest_first and mixed then
  local order = {}
  for i = expired_found + 1, found do
    order[#order + 1] = { i, tonumber(dues[i]), ids[i], priorities[i], dues[i], records[i] }
  end
  table.sort(order, function(a, b) return a[2] < b[2] or a[2] == b[2] and a[1] < b[1] end)
  local last = math.min(#order, limit - expired_found)
  found = expired_found
  for i = 1, last do
    local _, _, id, priority, due, record = unpack(order[i], 1, 6)
    local chance = max_expiries and record and is_last_chance(record, 0)
    if chance and chances == 0 then
      left, left_before[index[priority]] = left + 1, left_before[index[priority]] or {}
    else
      if chance then chances = chances - 1 end
      found = found + 1
      ids[found], priorities[found], dues[found], records[found] = id, priority, due, record
    end
  end
end

-- read: records, in slices so that large envelopes are not read in vain. As many as will fit if they are as large as those
-- before and as some of them, and not many more than have been read: one may be large where the others are not
local deadline, suffix = int(math.min(now + ttr, MAX_DUE)), ':' .. token
local taken, expired, orphan_ids, bytes, position, last_due, last_priority, text, record = 0, 0, {}, 0, 0
local leaving, lease_entries, new_records, reply = {}, {}, {}, {}

-- part: slice.lua

while position < found and (taken == 0 or bytes < max_bytes) do
  local last = position + slice_size(ids, position, found, bytes, taken, max_bytes, math.huge)
  local envelopes = redis.call('HMGET', tasks, unpack(ids, position + 1, last))
  for i = 1, last - position do
    if taken > 0 and bytes >= max_bytes then break end
    position = position + 1
    local id, envelope, priority, due = ids[position], envelopes[i], priorities[position], dues[position]
    local key, known = index[priority] or leases, records[position]
    leaving[key] = (leaving[key] or 0) + 1
    if left > 0 and left_before[key] then table.insert(left_before[key], id) end
    if not envelope then
      orphan_ids[#orphan_ids + 1] = id
    else
      local told = envelope:find('^{"v":2,') or envelope:find('^{"g":"%d+","v":2,') -- also of the last runs
      if not priority or known then
        local failures, expiries, old_priority, old_due
        if known then
          failures, expiries, old_priority, old_due = string.match(known, '^(%d+):(%d+):([hnl]):(%d+):')
        end
        failures, expiries = bounded(failures, MAX_COUNT), bounded(expiries, MAX_COUNT - 1)
        told = told or failures > 0
        if not priority then
          expired = expired + 1
          expiries, priority, due = expiries + 1, old_priority or 'n', old_due or now
        end
        record = int(failures) .. ':' .. int(expiries) .. ':' .. priority .. ':' .. int(bounded(due, MAX_DUE))
        text, last_due = record, nil
        if not priorities[position] then text = record .. ':expired' end
        record = record .. suffix
      elseif due ~= last_due or priority ~= last_priority then
        last_due, last_priority = due, priority
        text = '0:0:' .. priority .. ':' .. int(bounded(due, MAX_DUE))
        record = text .. suffix
      end
      local failure = told and redis.call('HSTRLEN', errors, id) <= MAX_FAILURE and redis.call('HGET', errors, id) or false
      local second, fourth = 2 * taken, 4 * taken
      lease_entries[second + 1], lease_entries[second + 2] = deadline, id
      new_records[second + 1], new_records[second + 2] = id, record
      reply[fourth + 1], reply[fourth + 2], reply[fourth + 3], reply[fourth + 4] = id, envelope, text, failure
      taken, bytes = taken + 1, bytes + #envelope + (failure and #failure or 0)
    end
  end
end

-- write: leave the old places first; of each index those that were its first
-- part: count.lua

for key, count in pairs(leaving) do
  if left_before[key] then
    redis.call('ZREM', key, unpack(left_before[key]))
  else
    redis.call('ZREMRANGEBYRANK', key, 0, count - 1)
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
  if rate then
    since = since + math.ceil(taken * rate_us / rate)
    redis.call('HSET', meta, 'rate', int(since))
  end
end
first = earliest()
if left > 0 and taken == 0 then
  -- what is due has to stay for now, and whoever keeps it from being taken knows when to ask again
  first = math.huge
  for _, key in ipairs(places) do
    local later = redis.call('ZRANGE', key, '(' .. int(now), '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2]
    first = math.min(first, tonumber(later) or math.huge)
  end
end
return answer(first, orphan_ids, reply, left > 0)
