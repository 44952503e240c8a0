-- What comes first in each index. Two entries are read: who takes one knows then what comes next without asking again.
-- Ranks are texts in the path of a task: to print a number costs Redis as much as half a look.
--
-- Needs the local places of a claim.

local firsts, none = {}, { false, math.huge, false, math.huge } -- id, when it is due, and the same of the second
for i = 1, #places do
  local pair = redis.call('ZRANGE', places[i], '0', '1', 'WITHSCORES')
  if pair[1] then pair[2], pair[4] = tonumber(pair[2]), tonumber(pair[4]) or math.huge end
  firsts[places[i]] = pair[1] and pair or none
end

local function score_at(key, rank) return redis.call('ZRANGE', key, rank, rank, 'WITHSCORES')[2] end

-- when the earliest task is due or lease runs out, with so many of the first gone from each index; it is asked again where
-- more are gone, or others than the first
local function earliest(gone, others)
  local first = math.huge
  for i = 1, #places do
    local key, rank = places[i], gone[places[i]] or 0
    local at = firsts[key][rank == 0 and 2 or 4]
    if rank > 1 or others[key] then at = tonumber(score_at(key, 0)) or math.huge end
    if at < first then first = at end
  end
  return first
end
