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

local plain_none_due_by = none_due_by
none_due_by = function(score, coming)
  redis.call('HLEN', slots)
  if redis.call('ZCOUNT', groups, '-inf', string.format('%.0f', score * 1000)) == 0 then return plain_none_due_by(score, coming) end
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

local MOST_BYTES = 136 -- a name has 128 at most

-- the groups of tasks, by id
local function groups_of(ids, told)
  local stored = told or {}
  if not told then
    for i, envelope in ipairs(redis.call('HMGET', tasks, unpack(ids))) do stored[ids[i]] = envelope end
  end
  local of = {}
  for _, id in ipairs(ids) do
    local envelope = stored[id] or ''
    local at = envelope:find(',"q":"', -MOST_BYTES, true)
    of[id] = at and envelope:match(',"q":"([^"]+)"}$', at)
  end
  return of
end

-- gives slots to groups that have none: those that are free, then new ones. Without one a task waits like those of no group
local function allot(slot_of, missing)
  local free = redis.call('ZRANGE', groups, '+inf', '+inf', 'BYSCORE', 'LIMIT', 0, #missing)
  local next_slot = redis.call('ZCARD', groups)
  local fields, entries = {}, {}
  if next_slot == 0 then next_slot, entries = 1, { IDLE, '0' } end
  for i, name in ipairs(missing) do
    local slot = tonumber(free[i]) or next_slot
    if slot < MOST_SLOTS then
      if not free[i] then next_slot = next_slot + 1 end
      slot_of[name] = slot
      entries[#entries + 1], entries[#entries + 2] = IDLE, slot
      for _, value in ipairs({ '=' .. name, slot, '#' .. slot, name }) do fields[#fields + 1] = value end
    end
  end
  if #fields == 0 then return end
  redis.call('HSET', slots, unpack(fields))
  redis.call('ZADD', groups, unpack(entries))
end

local function slots_of(of)
  local names, fields, slot_of, missing = {}, {}, {}, {}
  for _, name in pairs(of) do
    if not slot_of[name] then
      names[#names + 1], fields[#fields + 1], slot_of[name] = name, '=' .. name, true
    end
  end
  if #names == 0 then return {} end
  for i, slot in ipairs(redis.call('HMGET', slots, unpack(fields))) do
    slot_of[names[i]] = tonumber(slot)
    if not slot then missing[#missing + 1] = names[i] end
  end
  if #missing > 0 then allot(slot_of, missing) end
  return slot_of, #missing > 0
end

local plain_put = put
put = function(entries_of, told)
  local ids = {}
  for _, entries in pairs(entries_of) do
    for i = 2, #entries, 2 do ids[#ids + 1] = entries[i] end
  end
  if #ids == 0 then return end
  local of, turns, looks = groups_of(ids, told), {}, {}
  local slot_of, new = slots_of(of)
  for _, entries in pairs(entries_of) do
    for i = 1, #entries, 2 do
      local slot, due = slot_of[of[entries[i + 1]] or ''], tonumber(entries[i])
      if slot and due < DUES then
        entries[i] = score_in(slot, due)
        turns[slot] = math.min(turns[slot] or math.huge, due)
      end
    end
  end
  for slot, due in pairs(turns) do
    local at = tonumber(redis.call('ZSCORE', groups, slot)) or IDLE
    if at > due * 1000 and (at < FULL or at >= IDLE) then looks[#looks + 1], looks[#looks + 2] = string.format('%.0f', due * 1000), slot end
  end
  plain_put(entries_of)
  if #looks > 0 then redis.call('ZADD', groups, unpack(looks)) end
  if new and told then redis.call('HSET', meta, 'layout', LAYOUT) end
end

move = function(id, priority, due)
  redis.call('ZREM', index[priority], id)
  put({ [priority] = { due, id } })
end

-- A group that was full may have its turn again: who ends the delivery wakes the consumers then
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
    local slot = held[i]
    local at = slot and not seen[slot] and tonumber(call('ZSCORE', groups, slot)) or 0
    if slot then seen[slot] = true end
    if at == IDLE and call('ZCOUNT', running, slot, slot) == 0 then
      over[#over + 1] = slot
    elseif at >= FULL and at < PAUSED then
      turns[#turns + 1], turns[#turns + 2] = string.format('%.0f', LINE), slot
    end
  end
  if #turns > 0 then call('ZADD', groups, unpack(turns)) end
  free_slots(over)
  return ended
end
