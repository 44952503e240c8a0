-- Finds the groups of tasks their slots.
--
-- Needs the part slots.

-- slots for groups that have none: those that are free, then new ones. Without one a task waits like those of no group
local function allot(names, looks)
  local free = redis.call('ZRANGE', groups, '+inf', '+inf', 'BYSCORE', 'LIMIT', 0, #names)
  local next_slot, fields, these, n = redis.call('ZCARD', groups), {}, {}, 0
  if next_slot == 0 then next_slot, looks[1], looks[2] = 1, int_text(IDLE), '0' end
  for i, name in ipairs(names) do
    local text = free[i]
    if not text and next_slot < MOST_SLOTS then text, next_slot = int_text(next_slot), next_slot + 1 end
    these[i] = text
    if text then
      fields[n + 1], fields[n + 2], fields[n + 3], fields[n + 4] = '=' .. name, text, '#' .. text, name
      n = n + 4
    end
  end
  return these, fields
end

-- when groups are to be looked at that have slots, in us, infinite for not before they get tasks; by slots
local function looks_at(these)
  local at_of = {}
  for i, at in ipairs(#these > 0 and redis.call('ZMSCORE', groups, unpack(these)) or {}) do
    at = tonumber(at) or IDLE
    at_of[these[i]] = at >= IDLE and math.huge or at
  end
  return at_of
end

-- reads what is to be written of the groups of tasks, whose names follow each other as their entries do; the due times become scores
-- returns fields of slots, entries of groups, and when the first of these groups is to be looked at without these tasks
local function in_groups(entries_of, names)
  local number_of, fields, first, slot_of, missing, n = {}, {}, {}, {}, {}, 0
  local text, due
  for _, entries in pairs(entries_of) do
    for i = 1, #entries, 2 do
      n = n + 1
      local name = names[n]
      if name then
        if entries[i] ~= text then text, due = entries[i], tonumber(entries[i]) end
        local number = number_of[name]
        if due >= DUES then
          names[n] = false
        elseif not number then
          number = #first + 1
          number_of[name], first[number], fields[number] = number, due, '=' .. name
        elseif due < first[number] then
          first[number] = due
        end
      end
    end
  end
  if #first == 0 then return {}, {}, math.huge end

  local these, looks, earliest = {}, {}, math.huge
  for i, slot in ipairs(redis.call('HMGET', slots, unpack(fields))) do
    slot_of[i] = slot and #slot < 7 and not slot:find('%D') and slot
    if slot_of[i] then
      these[#these + 1] = slot
    elseif not slot then
      missing[#missing + 1] = i
    end
  end
  local at_of, new_fields = looks_at(these), {}
  if #missing > 0 then
    local missing_names, given = {}, nil
    for i, number in ipairs(missing) do missing_names[i] = fields[number]:sub(2) end
    given, new_fields = allot(missing_names, looks)
    for i, number in ipairs(missing) do slot_of[number] = given[i] end
  end
  local look, look_text
  for i = 1, #first do
    local slot = slot_of[i]
    local at = at_of[slot] or math.huge
    if at < FULL and at < earliest then earliest = at end
    if slot and at > first[i] * 1000 and (at < FULL or at == math.huge) then
      if first[i] ~= look then look, look_text = first[i], int_text(first[i] * 1000) end
      looks[#looks + 1], looks[#looks + 2] = look_text, slot
    end
  end

  -- many tasks are due together
  local score_of, n, text, due = {}, 0, nil, nil
  for _, entries in pairs(entries_of) do
    for i = 1, #entries, 2 do
      n = n + 1
      local slot = names[n] and slot_of[number_of[names[n]]]
      if slot then
        if entries[i] ~= text then text, due, score_of = entries[i], tonumber(entries[i]), {} end
        local score = score_of[slot]
        if not score then
          score = score_in(tonumber(slot), due)
          score_of[slot] = score
        end
        entries[i] = score
      end
    end
  end
  return new_fields, looks, earliest
end
