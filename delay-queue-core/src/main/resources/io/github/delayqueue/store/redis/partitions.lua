-- Reads what a partition knows of the numbers of partitions of its queue, and adds to it.
--
-- KEYS: tasks, dead and meta of one partition
-- ARGV: numbers to be known from now on, separated by commas, or '' to change nothing;
--       '1' if it is the first partition; '1' to pause the partition if it knew of no numbers
-- Returns { the numbers it knows then, the largest first, separated by commas, or '', 1 if it is paused, else 0 }
--
-- Numbers are never taken away: the largest is the present one, the others say where tasks may be from earlier. That
-- there has been a single partition matters only if the first one has tasks when it comes to know of others.

local tasks, dead, meta = KEYS[1], KEYS[2], KEYS[3]
local wanted, first, pause = ARGV[1], ARGV[2] == '1', ARGV[3] == '1'
local MAX = 256

local state = redis.call('HMGET', meta, 'partitions', 'paused')
local known, paused = state[1], state[2] == '1'
if wanted == '' then return { known or '', paused and 1 or 0 } end

local numbers, seen = {}, {}
local function add(number)
  if number >= 1 and number <= MAX and not seen[number] then
    seen[number] = true
    numbers[#numbers + 1] = number
  end
end
for text in ((known or '') .. ',' .. wanted):gmatch('%d+') do add(tonumber(text)) end
if first and not known and redis.call('HLEN', tasks) + redis.call('ZCARD', dead) > 0 then add(1) end
table.sort(numbers, function(a, b) return a > b end)
local text = table.concat(numbers, ',')

if text ~= known then redis.call('HSET', meta, 'partitions', text) end
if pause and not known then
  redis.call('HSET', meta, 'paused', '1')
  paused = true
end
return { text, paused and 1 or 0 }
