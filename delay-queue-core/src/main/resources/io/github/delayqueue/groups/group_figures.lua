-- Counts the tasks of groups, some groups at a time, in the order of their slots.
--
-- KEYS: the indexes of what waits, then those of groups
-- ARGV: now in us or '' for the server's clock, slot to begin with, how many slots to look at
-- Returns { slot to go on with or 0, number of groups, then of each group that has tasks or is paused: name, empty for tasks
--         without a group, waiting, due, in flight or -1 if that is not known, 1 if it is paused }

-- part: time.lua
-- part: slots.lua

local from, size = tonumber(ARGV[2]), redis.call('ZCARD', groups)
local upto = math.min(from + tonumber(ARGV[3]), math.max(size, 1)) - 1
local tracked = redis.call('ZCARD', running) > 0
local reply = { upto + 1 < size and upto + 1 or 0, math.floor(redis.call('HLEN', slots) / 2) }

local used = {} -- priorities of which groups have tasks
for i = 1, 3 do
  if tonumber(redis.call('ZRANGE', KEYS[i], -1, -1, 'WITHSCORES')[2] or '0') >= GROUPED then used[#used + 1] = KEYS[i] end
end

local function count(keys, from_score, to_score)
  local tasks = 0
  for _, key in ipairs(keys) do tasks = tasks + redis.call('ZCOUNT', key, from_score, to_score) end
  return tasks
end

local function add(name, waiting, due, held, paused)
  if waiting + math.max(0, held) + paused == 0 then return end
  for _, value in ipairs({ name, waiting, due, held, paused }) do reply[#reply + 1] = value end
end

if from == 0 then
  local indexes = { KEYS[1], KEYS[2], KEYS[3] }
  add('', count(indexes, '-inf', string.format('(%.17g', GROUPED)), count(indexes, '-inf', string.format('%.0f', now)), -1, 0)
end
local fields, members = {}, {}
for slot = math.max(1, from), upto do fields[#fields + 1], members[#members + 1] = '#' .. slot, slot end
if #fields == 0 then return reply end
local at = redis.call('ZMSCORE', groups, unpack(members))
for i, name in ipairs(redis.call('HMGET', slots, unpack(fields))) do
  if name then
    local slot = members[i]
    local waiting = count(used, score_in(slot, 0), score_in(slot, DUES - 1))
    add(name, waiting, waiting > 0 and count(used, score_in(slot, 0), score_in(slot, now)) or 0,
      tracked and redis.call('ZCOUNT', running, slot, slot + IN_ORDER) or 0, tonumber(at[i]) == PAUSED and 1 or 0)
  end
end
return reply
