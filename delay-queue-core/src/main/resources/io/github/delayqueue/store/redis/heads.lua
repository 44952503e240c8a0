-- What comes first in each index. Two entries are read: who takes one knows then what comes next without asking again.
-- Ranks are texts in the path of a task: to print a number costs Redis as much as half a look.
--
-- Needs the locals places, leases and now of a claim.

local firsts = {}
for _, key in ipairs(places) do firsts[key] = redis.call('ZRANGE', key, '0', '1', 'WITHSCORES') end

-- when the first entry of an index is due, or the second
local function head(key, rank) return tonumber(firsts[key][2 * rank + 2]) or math.huge end

local function score_at(key, rank) return redis.call('ZRANGE', key, rank, rank, 'WITHSCORES')[2] end

-- when the earliest task is due or lease runs out, with so many of the first gone from each index; it is asked again where
-- more are gone, or others than the first
local function earliest(gone, others)
  local first = math.huge
  for _, key in ipairs(places) do
    local rank = gone[key] or 0
    local asked = rank > 1 or others[key]
    first = math.min(first, asked and tonumber(score_at(key, 0)) or not asked and head(key, rank) or math.huge)
  end
  return first
end
