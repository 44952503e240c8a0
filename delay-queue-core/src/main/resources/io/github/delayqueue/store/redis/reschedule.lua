-- Moves the due time of a scheduled task; its priority, counts and last failure stay.
--
-- KEYS: the three indexes of scheduled tasks of one queue: normal, high, low; its tasks
-- ARGV: now in us or '' for the server's clock, wake channel, id, due ('+<ms>' after now or '<ms>' since the epoch, in whole milliseconds),
--       sixteen digits of a generation, if only a task of it is to be moved, and sixteen of that which it gets, or ''
-- Returns { 1 } if the task is scheduled and was moved, else { 0 }; an error if the due time is none; last of all, if consumers could not be woken, why
--
-- The first write is ZREM: it works on a server without memory.

local index = { h = KEYS[2], n = KEYS[1], l = KEYS[3] }
local tasks = KEYS[4]
local wake_channel, id, due_text = ARGV[2], ARGV[3], ARGV[4]
local generations = ARGV[5] or ''
local MAX_DUE = 253402300799999 -- end of the year 9999

-- part: time.lua
local now_floor, now_ceil = now, math.ceil(now_us / 1000)

-- part: due.lua
-- part: scheduled.lua

local due, score = due_of(due_text)
if not due then return redis.error_reply('ERR the due time is no whole number of milliseconds') end
local _, priority = find_waiting(id)
local earliest, envelope = first_due(), nil
if not priority then return { 0 } end
if generations ~= '' then
  -- of an older one the content may be another; the generation of an envelope is its first field
  local old = redis.call('HGET', tasks, id) or ''
  if old:match('^{"g":"(%d+)"') ~= generations:sub(1, 16) then return { 0 } end
  envelope = '{"g":"' .. generations:sub(17) .. old:sub(23)
end

move(id, priority, score)
if envelope then redis.call('HSET', tasks, id, envelope) end
if due < earliest and earliest > now_floor then
  local published = redis.pcall('PUBLISH', wake_channel, string.format('%.0f', math.max(0, due * 1000 - now_us)))
  if type(published) == 'table' then return { 1, published.err } end
end
return { 1 }
