-- Finds what may be taken from an index: looks at its first entries, a window of them at a time.
--
-- Needs the parts heads, last_chance and values, and the locals ids, priorities, dues, records, found, meta, deliveries
-- and now of a claim.

local FEW, WINDOW, MOST_LEFT = 4, 100, 1000

-- what is in flight, completed, or dead with an envelope has a delivery: if nobody else has, no scheduled task was delivered
-- before, and nothing is to be looked up
local all_fresh
local function is_all_fresh()
  if all_fresh == nil then
    all_fresh = redis.call('HLEN', deliveries) == size(leases) + size(completed) + size(dead) - (tonumber(redis.call('HMGET', meta, 'orphans')[1]) or 0)
  end
  return all_fresh
end

-- To write out the score of each takes the server longer than to find it, and tasks that were scheduled together often have
-- the same: it is asked for once for all that have it, unless these are few
local function scores_of(key, window, rank)
  local scores, known, score = {}, 0, firsts[key][2]
  while rank == 0 and known < #window do
    if known > 0 then score = score_at(key, known) end
    local rest = #window - known
    local same = rest == 1 and 1 or redis.call('ZCOUNT', key, score, score)
    if same < math.min(rest, FEW) then break end
    for i = known + 1, known + math.min(rest, same) do scores[i] = score end
    known = known + same
  end
  if known < #window then
    local rest = redis.call('ZRANGE', key, rank + known, rank + #window - 1, 'WITHSCORES')
    for i = 2, #rest, 2 do scores[known + i / 2] = rest[i] end
  end
  return scores
end

-- what is due from a rank on, and its scores if they are wanted; the first entry is known
local function window_of(key, rank, wanted, scored)
  local pair = firsts[key]
  if pair[2] > now then return {} end
  if rank == 0 and (pair[4] > now or wanted == 1) then return { pair[1] }, { pair[2] } end
  local window = redis.call('ZRANGE', key, '-inf', int(now), 'BYSCORE', 'LIMIT', rank, wanted)
  return window, scored and #window > 0 and scores_of(key, window, rank) or {}
end

-- adds what may be taken of a window, up to a number of tasks
local function add_window(key, priority, window, scores, known, most, lost, chances_left)
  if not known and found == 0 then
    ids, dues, found = window, scores, #window
    for i = 1, found do priorities[i] = priority end
    return chances_left
  end
  local ids, priorities, dues, n = ids, priorities, dues, found
  for i, id in ipairs(window) do
    if n == most then break end
    local record = known and known[i]
    local last_chance = is_last_chance(record, lost)
    if last_chance and chances_left == 0 then
      leave(key)
    else
      if last_chance then chances_left = chances_left - 1 end
      n = n + 1
      ids[n], priorities[n], dues[n], records[n] = id, priority, scores[i], record
    end
  end
  found = n
  return chances_left
end

-- looks beyond tasks that have to stay, but not at any number of them
local function add(key, priority, wanted, lost, chances_left)
  local most, seen, looked_for = found + wanted, 0, wanted
  repeat
    local window, scores = window_of(key, seen, looked_for, priority)
    if #window == 0 then break end
    local known = (lost == 1 or #window <= FEW or not is_all_fresh()) and values_of(deliveries, MAX_RECORD, window, 1, #window)
    chances_left = add_window(key, priority, window, priority and scores or {}, known, most, lost, chances_left)
    if found == most or #window < looked_for or left >= MOST_LEFT then break end
    seen, looked_for = seen + #window, math.max(most - found, WINDOW)
  until false
  return chances_left
end
