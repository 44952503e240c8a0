-- Tasks that wait, those of groups by slot and due time. The group of a task stands at the end of its envelope, ,"q":"group"}
--
-- Puts around what the store has for all queues what differs, and needs the local tasks besides.

-- part: scheduled.lua
-- part: slots.lua

local plain_first_due = first_due
first_due = function()
  redis.call('HLEN', slots) -- its type: it is to be written
  return math.min(plain_first_due(), first_turn())
end

-- whether no task is due and no group has a turn by a time
local plain_none_due_by = none_due_by
none_due_by = function(score, coming)
  redis.call('HLEN', slots)
  if redis.call('ZCOUNT', groups, '-inf', score .. '000') == 0 then return plain_none_due_by(score, coming) end
  for priority in pairs(coming) do redis.call('ZCARD', index[priority]) end
  return false
end

local plain_find_waiting = find_waiting
find_waiting = function(id)
  local score, priority = plain_find_waiting(id)
  if not score then return end
  local _, due = place_of(tonumber(score))
  return string.format('%.0f', due), priority
end

-- part: in_groups.lua

-- the groups of tasks, one after the other, false for none
local function names_of(entries_of, told)
  local ids, names = {}, {}
  for _, entries in pairs(entries_of) do
    for i = 2, #entries, 2 do ids[#ids + 1] = entries[i] end
  end
  local stored = not told and #ids > 0 and redis.call('HMGET', tasks, unpack(ids))
  for i, id in ipairs(ids) do names[i] = name_in(stored and stored[i] or told and told[id]) or false end
  return names
end

local plain_put = put
local keep_places = {} -- what of an ordered queue has left its leases

-- what failed, and is no new run, comes before the others of its group
local function keep_place(id, score)
  local slot = keep_places[id] and place_of(tonumber(score))
  if slot and (redis.call('HGET', deliveries, id) or ''):find('^[1-9]') then redis.call('ZADD', running, slot + AGAIN, id) end
end

put = function(entries_of, told)
  local fields, looks = in_groups(entries_of, names_of(entries_of, told))
  if #fields > 0 then redis.call('HSET', slots, unpack(fields)) end
  plain_put(entries_of)
  if #looks > 0 then redis.call('ZADD', groups, unpack(looks)) end
  if told and #fields > 0 then redis.call('HSET', meta, 'layout', LAYOUT) end
  if told or not next(keep_places) then return end
  for _, entries in pairs(entries_of) do
    for i = 1, #entries, 2 do keep_place(entries[i + 1], entries[i]) end
  end
end

move = function(id, priority, due)
  local held = redis.call('ZSCORE', running, id)
  redis.call('ZREM', index[priority], id)
  put({ [priority] = { due, id } })
  local at = held and tonumber(redis.call('ZSCORE', groups, math.floor(held))) or 0
  if at >= FULL and at < PAUSED then redis.call('ZADD', groups, int_text(LINE), math.floor(held)) end
end

-- A group that was full may have its turn again: who ends the delivery wakes the consumers then
local waited = 0 -- how many of these were none, but had to be the next ones: who takes one out wakes the consumers as well
local plain_end_leases = end_leases
end_leases = function(call, ids)
  local size = call('ZCARD', running)
  if size == 0 or type(size) ~= 'number' then return plain_end_leases(call, ids) end
  call('ZCARD', groups) -- its type: it is to be written, as is that of slots
  call('HLEN', slots)
  local held, seen, turns, over = call('ZMSCORE', running, unpack(ids)), {}, {}, {}
  local ended = plain_end_leases(call, ids)
  call('ZREM', running, unpack(ids))
  for i = 1, #ids do
    local slot = held[i] and math.floor(held[i])
    if slot then
      keep_places[ids[i]] = held[i] - slot > 0 or nil
      if held[i] - slot == AGAIN then waited = waited + 1 end
    end
    local at = slot and not seen[slot] and tonumber(call('ZSCORE', groups, slot)) or 0
    if slot then seen[slot] = true end
    if at == IDLE and call('ZCOUNT', running, slot, '(' .. slot + 1) == 0 then
      over[#over + 1] = slot
    elseif at >= FULL and at < PAUSED then
      turns[#turns + 1], turns[#turns + 2] = string.format('%.0f', LINE), slot
    end
  end
  if #turns > 0 then call('ZADD', groups, unpack(turns)) end
  free_slots(over)
  return ended + waited
end

local plain_take_out = take_out
take_out = function(call, ids) return plain_take_out(call, ids) - waited end
