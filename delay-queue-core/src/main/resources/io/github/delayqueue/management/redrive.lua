-- Schedules dead letters again: due now or spread over a time, in their old priority, counts at zero, last failure kept.
--
-- KEYS: the indexes, hashes and meta of one queue, see the locals below
-- ARGV: now in us or '' for the server's clock, wake channel, after how many ms the first is due, over how many ms all fall due, then the ids
-- Returns for each id: 1 scheduled, 0 if it was not dead or has no record; last of all, if consumers could not be woken, why

local index = { h = KEYS[2], n = KEYS[1], l = KEYS[3] }
local tasks, deliveries, dead, meta = KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local wake_channel = ARGV[2]
local delay, length, FIRST = tonumber(ARGV[3]), tonumber(ARGV[4]), 5
local MAX_RECORD = 1024

-- part: time.lua
-- part: scheduled.lua

local replies, redriven, scheduled = {}, {}, {}
local seen, soonest = {}, math.huge
for i = FIRST, #ARGV do
  local id = ARGV[i]
  if not seen[id] and redis.call('ZSCORE', dead, id) and redis.call('HEXISTS', tasks, id) == 1 then
    seen[id] = true
    local record = redis.call('HSTRLEN', deliveries, id) <= MAX_RECORD and redis.call('HGET', deliveries, id)
    local priority = record and string.match(record, '^%d+:%d+:([hnl]):') or 'n'
    scheduled[priority] = scheduled[priority] or {}
    local due = now + delay + math.floor(length * (i - FIRST) / (#ARGV - FIRST + 1))
    soonest = math.min(soonest, due)
    table.insert(scheduled[priority], string.format('%.0f', due))
    table.insert(scheduled[priority], id)
    redriven[#redriven + 1] = id
    replies[#replies + 1] = 1
  else
    replies[#replies + 1] = 0
  end
end
if #redriven == 0 then return replies end

-- read: a key of another type is refused before anything is written
redis.call('HLEN', meta)
local earliest = first_due()

redis.call('ZREM', dead, unpack(redriven))
redis.call('HDEL', deliveries, unpack(redriven))
put(scheduled)
-- pcall: a total that is no number must not end the step half-way; a check finds it
redis.pcall('HINCRBY', meta, 'redriven', #redriven)
if earliest > now and soonest < earliest then
  local published = redis.pcall('PUBLISH', wake_channel, string.format('%.0f', (soonest - now) * 1000))
  if type(published) == 'table' then replies[#replies + 1] = published.err end
end
return replies
