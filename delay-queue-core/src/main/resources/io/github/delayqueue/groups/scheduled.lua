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
local function no_turn_by(score, coming)
  if redis.call('ZCOUNT', groups, '-inf', score .. '000') == 0 then return plain_none_due_by(score, coming) end
  for priority in pairs(coming) do redis.call('ZCARD', index[priority]) end
  return false
end

none_due_by = function(score, coming)
  redis.call('HLEN', slots)
  return no_turn_by(score, coming)
end

local plain_find_waiting = find_waiting
find_waiting = function(id)
  local score, priority = plain_find_waiting(id)
  if not score then return end
  local _, due = place_of(tonumber(score))
  return string.format('%.0f', due), priority
end

local function stored_of(entries_of)
  local ids, stored = {}, {}
  for _, entries in pairs(entries_of) do
    for i = 2, #entries, 2 do ids[#ids + 1] = entries[i] end
  end
  for i, envelope in ipairs(#ids > 0 and redis.call('HMGET', tasks, unpack(ids)) or {}) do stored[ids[i]] = envelope end
  return stored
end

-- slots for groups that have none: those that are free, then new ones. Without one a task waits like those of no group
local function allot(slot_of, missing, looks)
  local free = redis.call('ZRANGE', groups, '+inf', '+inf', 'BYSCORE', 'LIMIT', 0, #missing)
  local next_slot, fields = redis.call('ZCARD', groups), {}
  if next_slot == 0 then next_slot, looks[1], looks[2] = 1, int_text(IDLE), '0' end
  for i, name in ipairs(missing) do
    local slot = tonumber(free[i]) or next_slot
    if slot < MOST_SLOTS then
      if not free[i] then next_slot = next_slot + 1 end
      slot_of[name] = int_text(slot)
      local text, n = slot_of[name], #fields
      fields[n + 1], fields[n + 2], fields[n + 3], fields[n + 4] = '=' .. name, text, '#' .. text, name
    end
  end
  return fields
end

-- the groups of tasks by id, and the slots of groups that have one by name, as they are written, and the others
local function named(entries_of, stored)
  local name_of, names, fields, slot_of, missing, text, due = {}, {}, {}, {}, {}, nil, nil
  for _, entries in pairs(entries_of) do
    for i = 1, #entries, 2 do
      if entries[i] ~= text then text, due = entries[i], tonumber(entries[i]) end
      local name = due < DUES and name_in(stored[entries[i + 1]]) or nil
      name_of[entries[i + 1]] = name
      if name and not slot_of[name] then names[#names + 1], fields[#fields + 1], slot_of[name] = name, '=' .. name, true end
    end
  end
  for i, slot in ipairs(#names > 0 and redis.call('HMGET', slots, unpack(fields)) or {}) do
    slot_of[names[i]] = slot and slot:match('^%d%d?%d?%d?%d?%d?$')
    if not slot then missing[#missing + 1] = names[i] end
  end
  return name_of, slot_of, missing
end

-- when slots are to be looked at that have got tasks, if that is sooner than before
local function sooner(first, looks)
  local these = {}
  for slot in pairs(first) do these[#these + 1] = slot end
  for i, at in ipairs(#these > 0 and redis.call('ZMSCORE', groups, unpack(these)) or {}) do
    local due_us = first[these[i]] * 1000
    at = tonumber(at) or IDLE
    if at > due_us and (at < FULL or at >= IDLE) then looks[#looks + 1], looks[#looks + 2] = int_text(due_us), these[i] end
  end
end

-- reads what is to be written of the groups of tasks; the due times become scores
local function in_groups(entries_of, told)
  local name_of, slot_of, missing = named(entries_of, told or stored_of(entries_of))
  local looks, first, scores, text, due = {}, {}, {}, nil, nil
  local fields = #missing > 0 and allot(slot_of, missing, looks) or {}
  for _, entries in pairs(entries_of) do
    for i = 1, #entries, 2 do
      local slot = slot_of[name_of[entries[i + 1]]]
      if slot then
        -- many tasks are due together
        if entries[i] ~= text then text, due, scores = entries[i], tonumber(entries[i]), {} end
        if not scores[slot] then scores[slot] = score_in(tonumber(slot), due) end
        entries[i] = scores[slot]
        if not first[slot] or due < first[slot] then first[slot] = due end
      end
    end
  end
  sooner(first, looks)
  return fields, looks
end

local plain_put = put
local function put_in_groups(entries_of, fields, looks, scheduled)
  if #fields > 0 then redis.call('HSET', slots, unpack(fields)) end
  plain_put(entries_of)
  if #looks > 0 then redis.call('ZADD', groups, unpack(looks)) end
  if scheduled and #fields > 0 then redis.call('HSET', meta, 'layout', LAYOUT) end
end

local keep_places = {} -- what of an ordered queue has left its leases

-- what failed, and is no new run, comes before the others of its group
local function keep_place(id, score)
  local slot = keep_places[id] and place_of(tonumber(score))
  if slot and (redis.call('HGET', deliveries, id) or ''):find('^[1-9]') then redis.call('ZADD', running, slot + AGAIN, id) end
end

put = function(entries_of, told)
  local fields, looks = in_groups(entries_of, told)
  put_in_groups(entries_of, fields, looks, told)
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
