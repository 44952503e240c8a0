-- Tasks that die with the next lease they lose: a claim takes one at most, or none. Who ends its process takes the leases of
-- all that run beside along.
--
-- Needs the locals places, max_expiries and now of a claim.

local function is_last_chance(record, lost)
  if not max_expiries or not record then return false end
  local expiries = tonumber(string.match(record, '^%d+:(%d+):') or 0) + lost
  return expiries > 0 and expiries == max_expiries - 1
end

local function leave(key) left, left_before[key] = left + 1, left_before[key] or {} end

-- when the earliest of those is due that are not due yet: what is due has to stay for now, and whoever keeps it from being
-- taken knows when to ask again
earliest_later = function()
  local first = math.huge
  for _, key in ipairs(places) do
    local later = redis.call('ZRANGE', key, '(' .. int(now), '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2]
    first = math.min(first, tonumber(later) or math.huge)
  end
  return first
end
