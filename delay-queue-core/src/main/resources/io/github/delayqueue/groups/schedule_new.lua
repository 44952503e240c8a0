-- Stores tasks of one priority whose ids have never been used, as the script of the store does that has this name.
--
-- KEYS and ARGV: those of that script
-- Returns as that does; { 1 } also for what it does not know

local index = { h = KEYS[2], n = KEYS[1], l = KEYS[3] }
local tasks, meta = KEYS[4], KEYS[5]
local expected, together, first = ARGV[3], ARGV[5], 6
local MAX_DUE = 253402300799999 -- end of the year 9999

-- part: time.lua
local now_floor, now_ceil = now, math.ceil(now_us / 1000)

-- part: due.lua
-- part: scheduled.lua

local sources = expected ~= '' and (redis.call('HGET', meta, 'partitions') or '1')
if sources and sources ~= expected then return redis.error_reply('PARTITIONS ' .. sources:sub(1, 1024)) end

local last = together ~= '' and #ARGV or first - 1 + (#ARGV - first + 1) / 3 * 2
local ids, entries, envelopes = {}, {}, {}
local earliest, earliest_score, text, due, score = math.huge, nil, nil, nil, nil
for i = first, last, 2 do
  local due_text = together ~= '' and together or ARGV[last + (i - first) / 2 + 1]
  if due_text ~= text then
    text, due, score = due_text, due_of(due_text)
    if not due then return { 1 } end
    if due < earliest then earliest, earliest_score = due, score end
  end
  ids[#ids + 1], envelopes[ARGV[i]] = ARGV[i], ARGV[i + 1]
  entries[#entries + 1], entries[#entries + 2] = score, ARGV[i]
end
for _, known in ipairs(#ids > 1 and redis.call('HMGET', tasks, unpack(ids)) or {}) do
  if known then return { 1 } end
end
local coming = { [({ 'n', 'h', 'l' })[tonumber(ARGV[4])]] = entries }
local wakes = no_turn_by(earliest_score, coming)
local fields, looks = in_groups(coming, envelopes)

-- write
if #ids > 1 then
  redis.call('HSET', tasks, unpack(ARGV, first, last))
elseif redis.call('HSETNX', tasks, ARGV[first], ARGV[last]) == 0 then
  return { 1 }
end
put_in_groups(coming, fields, looks, true)
-- pcall: a total that is no number must not end the step half-way; a check finds it
if redis.pcall('HINCRBY', meta, 'scheduled', #ids) == #ids then redis.call('HSET', meta, 'layout', LAYOUT) end
if not wakes then return { 0 } end
local published = redis.pcall('PUBLISH', ARGV[2], string.format('%.0f', math.max(0, earliest * 1000 - now_us)))
return { 0, type(published) == 'table' and published.err or nil }
