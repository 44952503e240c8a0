-- Finds the groups of tasks their slots.
--
-- Needs the part slots.

-- part: allot.lua

-- when groups are to be looked at that have slots, in us, infinite for not before they get tasks; by slots
local function looks_at(these)
  local at_of = {}
  for i, at in ipairs(#these > 0 and redis.call('ZMSCORE', groups, unpack(these)) or {}) do
    at = tonumber(at) or IDLE
    at_of[these[i]] = at >= IDLE and math.huge or at
  end
  return at_of
end

-- reads what is to be written of the groups of tasks, whose names follow each other as their entries do. The due times become scores,
-- and the names numbers. Returns fields of slots, entries of groups, and when the first of these groups is to be looked at without these tasks
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
          number = false
        elseif not number then
          number = #first + 1
          number_of[name], first[number], fields[number] = number, due, '=' .. name
        elseif due < first[number] then
          first[number] = due
        end
        names[n] = number
      end
    end
  end
  if #first == 0 then return {}, {}, math.huge end

  local these, looks, earliest = {}, {}, math.huge
  for i, slot in ipairs(redis.call('HMGET', slots, unpack(fields))) do
    slot_of[i] = slot and is_slot(slot) and slot
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
      local number = names[n]
      local slot = number and slot_of[number]
      if slot then
        if entries[i] ~= text then text, due, score_of = entries[i], tonumber(entries[i]), {} end
        local score = score_of[number]
        if not score then
          score = score_in(tonumber(slot), due)
          score_of[number] = score
        end
        entries[i] = score
      end
    end
  end
  return new_fields, looks, earliest
end
