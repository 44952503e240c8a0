-- How many tasks of a queue fall due in each of some spans of time, the bars. Changes nothing.
--
-- KEYS: the indexes of one queue
-- ARGV: now in us or '' for the server's clock, start of the first bar in ms, length of a bar in ms, how many bars
-- Returns how many are due, then for each bar how many become due in it that are not yet due; the first one begins now

local index = { KEYS[1], KEYS[2], KEYS[3] }

-- part: time.lua
-- part: waiting.lua

local start, step, bars = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local counted = due_by(string.format('%.0f', now))
local reply = { counted }
for bar = 1, bars do
  -- a bar may be over
  local before = math.max(counted, due_by(string.format('(%.0f', start + bar * step)))
  reply[bar + 1] = before - counted
  counted = before
end
return reply
