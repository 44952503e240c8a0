-- Counts tasks that wait, those of groups as well: exactly in a queue of few groups; in one of many it counts those of some
-- groups, and reckons the others from them.

-- part: waiting.lua
-- part: slots.lua

local MOST_LOOKS = 200 -- at groups

local chosen, used, factor = {}, {}, 1
local function choose()
  local all, seen, size = 0, 0, redis.call('ZCARD', groups)
  for _, key in ipairs(index) do
    local here = redis.call('ZCOUNT', key, string.format('%.17g', GROUPED), '+inf')
    if here > 0 then used[#used + 1] = key end
    all = all + here
  end
  for rank = 0, all > 0 and size - 1 or -1, math.max(1, math.ceil(size / MOST_LOOKS)) do
    chosen[#chosen + 1] = tonumber(redis.call('ZRANGE', groups, rank, rank)[1])
    for _, key in ipairs(used) do
      seen = seen + redis.call('ZCOUNT', key, score_in(chosen[#chosen], 0), score_in(chosen[#chosen], DUES - 1))
    end
  end
  if seen > 0 and #chosen < size then factor = all / seen end
end
choose()

local function within(bound)
  local exclusive, at = bound:match('^(%(?)(.+)$')
  return math.max(0, math.min(tonumber(at) or 0, DUES - 1)), exclusive == '(' and 1 or 0
end

local due_without = due_by
due_by = function(bound)
  local tasks, at, exclusive = 0, within(bound)
  if at < exclusive then return due_without(bound) end
  for _, slot in ipairs(chosen) do
    for _, key in ipairs(used) do
      tasks = tasks + redis.call('ZCOUNT', key, score_in(slot, 0), score_in(slot, at - exclusive))
    end
  end
  return due_without(bound) + math.floor(tasks * factor + 0.5)
end

local first_without = first_from
first_from = function(bound)
  local first, at, exclusive = first_without(bound), within(bound)
  if first >= GROUPED then first = math.huge end
  for _, slot in ipairs(chosen) do
    for _, key in ipairs(used) do
      local entry = redis.call('ZRANGE', key, score_in(slot, math.min(at + exclusive, DUES - 1)), score_in(slot, DUES - 1), 'BYSCORE',
        'LIMIT', 0, 1, 'WITHSCORES')
      if entry[2] then first = math.min(first, (select(2, place_of(tonumber(entry[2]))))) end
    end
  end
  return first
end
