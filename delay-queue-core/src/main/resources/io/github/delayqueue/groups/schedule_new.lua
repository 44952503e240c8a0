-- Stores tasks of one priority whose ids have never been used, as the script of the store does that has this name.
--
-- KEYS and ARGV: those of that script
-- Returns as that does; { 1 } also for what it does not know

local tasks, meta, index = KEYS[4], KEYS[5], KEYS[tonumber(ARGV[4])]
local expected, together, first = ARGV[3], ARGV[5], 6
local MAX_DUE = 253402300799999 -- end of the year 9999

-- part: time.lua
local now_floor, now_ceil = now, math.ceil(now_us / 1000)

-- part: due.lua
-- part: layout.lua
-- part: slots.lua

local sources = expected ~= '' and (redis.call('HGET', meta, 'partitions') or '1')
if sources and sources ~= expected then return redis.error_reply('PARTITIONS ' .. sources:sub(1, 1024)) end

local last = together ~= '' and #ARGV or first - 1 + (#ARGV - first + 1) / 3 * 2
local count = (last - first + 1) / 2
local entries, earliest, earliest_score, text, due, score = {}, math.huge, nil, nil, nil, nil
for i = first, last, 2 do
  local due_text = together ~= '' and together or ARGV[last + (i - first) / 2 + 1]
  if due_text ~= text then
    text, due, score = due_text, due_of(due_text)
    if not due then return { 1 } end
    if due < earliest then earliest, earliest_score = due, score end
  end
  entries[i - first + 1], entries[i - first + 2] = score, ARGV[i]
end

-- most calls are for one task of a group: what the others need is not even made then
local fields, looks, turn = {}, {}, nil
local name = count == 1 and due < DUES and name_in(ARGV[last])
local slot = name and redis.call('HGET', slots, '=' .. name)
if name and (not slot or is_slot(slot)) then
  local at, given = slot and tonumber(redis.call('ZSCORE', groups, slot)) or IDLE, nil
  if not slot then
    -- part: allot.lua
    given, fields = allot({ name }, looks)
    slot = given[1]
  end
  local is_busy = at >= FULL and at < IDLE -- full or paused: it is looked at when that is over
  if slot and not is_busy and at > due * 1000 then looks[#looks + 1], looks[#looks + 2] = int_text(due * 1000), slot end
  if slot then entries[1] = score_in(tonumber(slot), due) end
  turn = is_busy and math.huge or at
else
  -- part: in_groups.lua
  local ids, names = {}, {}
  for i = 1, count do
    ids[i], names[i] = entries[2 * i], name_in(ARGV[first + 2 * i - 1]) or false
  end
  for _, known in ipairs(count > 1 and redis.call('HMGET', tasks, unpack(ids)) or {}) do
    if known then return { 1 } end
  end
  fields, looks, turn = in_groups({ entries }, names)
end

-- what is due already (or not later) has woken the consumers
local wakes = turn > earliest * 1000 and redis.call('ZCOUNT', groups, '-inf', earliest_score .. '000') == 0
redis.call('ZCARD', index) -- its type: it is to be written
for i = 1, wakes and 3 or 0 do wakes = wakes and redis.call('ZCOUNT', KEYS[i], '-inf', earliest_score) == 0 end

-- write
if count > 1 then
  redis.call('HSET', tasks, unpack(ARGV, first, last))
elseif redis.call('HSETNX', tasks, ARGV[first], ARGV[last]) == 0 then
  return { 1 }
end
if #fields > 0 then redis.call('HSET', slots, unpack(fields)) end
redis.call('ZADD', index, unpack(entries))
if #looks > 0 then redis.call('ZADD', groups, unpack(looks)) end
-- pcall: a total that is no number must not end the step half-way; a check finds it
if redis.pcall('HINCRBY', meta, 'scheduled', count) == count then redis.call('HSET', meta, 'layout', LAYOUT) end
if not wakes then return { 0 } end
local published = redis.pcall('PUBLISH', ARGV[2], string.format('%.0f', math.max(0, earliest * 1000 - now_us)))
return { 0, type(published) == 'table' and published.err or nil }
