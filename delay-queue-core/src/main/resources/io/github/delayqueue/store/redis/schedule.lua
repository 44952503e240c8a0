-- Stores tasks, each replacing or being rejected in favour of a task of the same id.
--
-- KEYS: the indexes, hashes and meta of one queue, see the locals below
-- ARGV: now in us or '' for the server's clock, wake channel, the number of sources that the caller knows
--       or '', then runs of tasks that have something in common:
--       priority ('high' | 'normal' | 'low'), 'replace' | 'reject' | 'newer', how many,
--       when all of them are due or '',
--       for each: id, envelope, and then, if they are not due together, for each: due
--       due is '+<ms>' after now, or '<ms>' since the epoch, in whole milliseconds; what is past means now;
--       '+<ms>><ms>' is the later of the two; what parts of the library want of the task follows;
--       'newer' replace only tasks with a lower generation, or without one: it is the first field of an envelope,
--       {"g":"<sixteen digits>"; all others are rejected
-- Returns for each task: 0 created, 1 replaced, 2 rejected; last of all, if consumers could not be woken, why;
--         an error with the number of sources that is known, if it is another, or that a due time is none
--
-- The first write is HSET, which a server without memory refuses: nothing has changed then.

local index = { h = KEYS[2], n = KEYS[1], l = KEYS[3] }
local leases, tasks, deliveries, errors, dead, completed, meta = unpack(KEYS, 4)
local wake_channel, expected = ARGV[2], ARGV[3]
local MAX_DUE = 253402300799999 -- end of the year 9999

-- part: time.lua
local now_floor, now_ceil = now, math.ceil(now_us / 1000)

-- part: due.lua

-- read: what becomes of each task, as if they came one after the other
local replies, seen, accepted = {}, 0, 0
local order, ids, planned, orphans = {}, 0, {}, 0
local envelopes, entries_of, earliest = {}, {}, math.huge
local text, plain, due, score -- many that come together are due together
local known_of_queue = redis.call('HMGET', meta, 'orphans', 'partitions', 'full')
local has_orphans, sources = (tonumber(known_of_queue[1]) or 0) > 0, known_of_queue[2]
local full = known_of_queue[3] -- consumers wait for a task to end
if expected ~= '' and (sources or '1') ~= expected then
  return redis.error_reply('PARTITIONS ' .. (sources or 'unknown'):sub(1, 1024))
end

-- the generation of an envelope; one without is lower than all
local function generation(envelope)
  local digits = envelope:match('^{"g":"(%d+)"')
  return digits and #digits == 16 and digits or ''
end

-- the generations of those tasks of a run that are known, by id
local function generations(first, last)
  local run_ids, of = {}, {}
  for i = first, last, 2 do run_ids[#run_ids + 1] = ARGV[i] end
  local stored = redis.call('HMGET', tasks, unpack(run_ids))
  for i, id in ipairs(run_ids) do of[id] = stored[i] and generation(stored[i]) end
  return of
end

-- whether an id is known, and if so how many records are missing; its generation if generations are told
local function look_up(id, stored)
  if stored then
    if stored[id] then return true, 0, stored[id] end
  elseif redis.call('HEXISTS', tasks, id) == 1 then
    return true, 0
  end
  if has_orphans and redis.call('ZSCORE', dead, id) then return true, 1 end
  return false, 0
end

-- part: scheduled.lua
-- part: repeated_ids.lua

-- What parts want of a task that was accepted, by the sign that stands behind its due time: functions of the argument behind that,
-- nil if there is none, of the task, and of its due time, as number and as text. They return the due time, or nothing and why not
local wishes, signs = {}, ''
-- files of parts
for sign in pairs(wishes) do signs = signs .. '%' .. sign end

-- what becomes of a task; of one that has to be newer, the generations of those that are known
local function plan(id, envelope, policy, stored)
  local again = planned[id]
  local known, orphan, known_generation = again, 0, nil
  if not again then known, orphan, known_generation = look_up(id, stored) end
  if known and policy == 'reject' then return 2 end
  if stored and again then known_generation = generation(again) end
  if known_generation and known_generation >= generation(envelope) then return 2 end
  accepted = accepted + 1
  if again then
    drop(id)
  else
    ids = ids + 1
    order[ids] = id
    orphans = orphans + orphan
  end
  planned[id] = envelope
  envelopes[2 * accepted - 1], envelopes[2 * accepted] = id, envelope
  return known and 1 or 0
end

local run = 4
while ARGV[run] do
  local priority, policy, together = ARGV[run]:sub(1, 1), ARGV[run + 1], ARGV[run + 3] ~= ''
  local entries = entries_of[priority] or {}
  entries_of[priority] = entries
  -- where its tasks begin, and their due times
  local first, size = run + 4, tonumber(ARGV[run + 2])
  local dues = first + 2 * size
  local stored = policy == 'newer' and generations(first, dues - 1)
  for i = 0, size - 1 do
    local id = ARGV[first + 2 * i]
    local before = planned[id]
    local reply = plan(id, ARGV[first + 2 * i + 1], policy, stored)
    seen = seen + 1
    replies[seen] = reply
    if reply ~= 2 then
      local due_text = ARGV[together and run + 3 or dues + i]
      if due_text ~= text then
        text = due_text
        plain = signs == '' and text or text:match('^[^' .. signs .. ']*')
        due, score = due_of(plain)
        if not due then return redis.error_reply('ERR a due time is no whole number of milliseconds') end
      end
      local at, at_score = due, score
      for sign, wish in pairs(wishes) do
        local argument = text:match('%' .. sign .. '([^' .. signs .. ']*)')
        at, at_score = wish(argument, { id = id, policy = policy, before = before, due = plain }, at, at_score)
        if not at then return redis.error_reply('ERR ' .. at_score) end
      end
      if at < earliest then earliest = at end
      local n = #entries
      entries[n + 1], entries[n + 2] = at_score, id
      if placed then placed[id] = { entries, n + 2 } end
    end
  end
  run = together and dues or dues + size
end
if accepted == 0 then return replies end
if placed then compact() end

-- what is due already (or not later) has woken the consumers
local wakes = none_due_by(string.format('%.0f', earliest), entries_of)

-- pcall: a total that is no number must not end the step half-way; a check finds it
local function count(field, by)
  return by ~= 0 and redis.pcall('HINCRBY', meta, field, by)
end

-- write
redis.call('HSET', tasks, unpack(envelopes))
local replaced = accepted - ids
-- also of ids without a record: what was left of them must not get hold of the task
-- (pcall: a key of another type holds none of our tasks; those that are added to have been read)
local function remove(command, key)
  local removed = redis.pcall(command, key, unpack(order))
  return type(removed) == 'number' and removed or 0
end
local freed = end_leases(redis.pcall, order)
replaced = replaced + freed + take_out(redis.pcall, order) + remove('ZREM', dead)
-- a completed task has been counted as such: it is not replaced in the sense of the totals
remove('ZREM', completed)
remove('HDEL', deliveries)
remove('HDEL', errors)
count('orphans', -orphans)
put(entries_of, planned)
if count('scheduled', accepted) == accepted then
  redis.call('HSET', meta, 'layout', LAYOUT)
end
count('replaced', replaced)
if full and freed > 0 then
  redis.call('HDEL', meta, 'full')
  wakes, earliest = true, 0
end
-- part: withdrawn.lua
local published = freed > 0 and tell_holders()
if wakes then
  published = redis.pcall('PUBLISH', wake_channel, string.format('%.0f', math.max(0, earliest * 1000 - now_us)))
end
if type(published) == 'table' then replies[#replies + 1] = published.err end
return replies
