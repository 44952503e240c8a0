-- Looks through dead letters, the longest dead first, for what they have died of. Changes nothing.
--
-- KEYS: the dead index, deliveries and errors of one queue
-- ARGV: a cause or '' for any, since when at the latest they are dead in ms, where to go on: score and id of the last entry that
--       was looked at, or '' and '', how many entries to look at, how many tasks to answer at most,
--       '1' to answer these with deliveries and failures
-- Returns { how many were looked at, score and id of the last one if there may be more, else '' and '',
--           { cause, how many, score of the first and of the last, id and failure of the last } if no task is to be answered,
--           for each task: 'dead', id, score, '', delivery record or '', false, failure, '' for one that is too long, or false }
--
-- A cause is what a failure begins with; of one that an older version has written, that of its reason and type.

local dead, deliveries, errors = KEYS[1], KEYS[2], KEYS[3]
local cause, latest, score, id = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local most_looks, most_tasks, whole = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7] == '1'
local MAX_FAILURE, MAX_BYTES = 8192, 3145728 -- bytes; those of ours have fewer
local SLICE = 100

-- as the index sorts; < would sort by the language of the server
local function is_after(one, other)
  for i = 1, math.max(#one, #other) do
    local a, b = one:byte(i) or -1, other:byte(i) or -1
    if a ~= b then return a > b end
  end
  return false
end

-- the first entry behind another one, which may have gone
local rank = 0
if score ~= '' then
  local high = redis.call('ZCOUNT', dead, '-inf', score)
  rank = redis.call('ZCOUNT', dead, '-inf', '(' .. score)
  while rank < high do
    local middle = math.floor((rank + high) / 2)
    if is_after(redis.call('ZRANGE', dead, middle, middle)[1], id) then high = middle else rank = middle + 1 end
  end
end
local stop = math.min(rank + most_looks, redis.call('ZCOUNT', dead, '-inf', latest))
if stop <= rank then return { 0, '', '', {}, {} } end
local ids = redis.call('ZRANGE', dead, rank, stop - 1)

-- part: values.lua

local older = {}
local function cause_of(failure)
  if not failure then return 'none' end
  local known = failure:match('^{"cause":"(%x+)"')
  if known then return known end
  local kind = failure:match('^{"reason":"[A-Z_]*","type":"[^"]*"') or failure:match('^{"reason":"[A-Z_]*"') or ''
  older[kind] = older[kind] or redis.sha1hex(kind):sub(1, 16)
  return older[kind]
end

local groups, order, tasks, looked, bytes = {}, {}, {}, 0, 0
local failures = {}
while looked < #ids and bytes < MAX_BYTES and (most_tasks == 0 or #tasks < most_tasks) do
  for _, failure in ipairs(values_of(errors, MAX_FAILURE, ids, looked + 1, math.min(looked + SLICE, #ids))) do
    looked = looked + 1
    bytes = bytes + (failure and #failure or 0)
    local found = cause_of(failure)
    if most_tasks == 0 then
      local group = groups[found]
      if not group then
        group = { found, 0, looked }
        groups[found], order[#order + 1] = group, group
      end
      group[2], group[4], group[5] = group[2] + 1, looked, failure
    elseif cause == '' or found == cause then
      tasks[#tasks + 1], failures[#tasks + 1] = ids[looked], failure
      if #tasks == most_tasks then break end
    end
  end
end

local reply, answered = {}, {}
for _, group in ipairs(order) do
  for _, value in ipairs({ group[1], group[2], redis.call('ZSCORE', dead, ids[group[3]]), redis.call('ZSCORE', dead,
    ids[group[4]]), ids[group[4]], group[5] }) do
    reply[#reply + 1] = value
  end
end
for i, each in ipairs(tasks) do
  local record = whole and redis.call('HSTRLEN', deliveries, each) <= MAX_RECORD and redis.call('HGET', deliveries, each)
  for _, value in ipairs({ 'dead', each, redis.call('ZSCORE', dead, each), '', record or '', false,
    whole and failures[i] }) do
    answered[#answered + 1] = value
  end
end
local more = looked < #ids or rank + looked < redis.call('ZCOUNT', dead, '-inf', latest)
return { looked, more and redis.call('ZSCORE', dead, ids[looked]) or '', more and ids[looked] or '', reply, answered }
