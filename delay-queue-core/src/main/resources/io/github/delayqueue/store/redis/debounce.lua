-- Tasks that are debounced: due after the last of a burst, but no later than a limit counts from the first.
--
-- Needs the locals index, tasks, deliveries, now_ceil, planned, envelopes and accepted of a call that schedules.

-- until when the burst goes on that a debounced task comes to. One that was delivered, or is due later because it was
-- moved or has come again since, is of none
local limits = {} -- by the ids of this call
local function limit_of(id, again)
  if again then return limits[id] end
  local envelope = redis.call('HGET', tasks, id)
  local limit = envelope and tonumber(envelope:match('^{"l":"(' .. ('%d'):rep(15) .. ')"'))
  if not limit or redis.call('HEXISTS', deliveries, id) == 1 then return end
  for _, key in ipairs({ index.normal, index.high, index.low }) do
    local score = redis.call('ZSCORE', key, id)
    if score then return tonumber(score) <= limit and limit or nil end
  end
end

-- the due time of the task that was accepted last; its envelope gets its limit. What is
-- overdue keeps its place: if it moved behind the others each time, it would never be its turn
local function debounce(id, again, due, most)
  local limit = limit_of(id, again) or math.min(now_ceil + most, MAX_DUE)
  local envelope = string.format('{"l":"%015.0f",', limit) .. envelopes[2 * accepted]:sub(2)
  limits[id], planned[id], envelopes[2 * accepted] = limit, envelope, envelope
  due = math.min(due, limit)
  return due, string.format('%.0f', due)
end
