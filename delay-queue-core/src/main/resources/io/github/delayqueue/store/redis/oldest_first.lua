-- Takes the oldest due tasks whatever their priority: the first of each index have been found, for as many as are wanted.
--
-- Needs the part last_chance, and the locals ids, priorities, dues, records, found, index and chances of a claim.

-- of those that were found after some others, so many
local function sort_oldest_first(before, most)
  local order = {}
  for i = before + 1, found do
    order[#order + 1] = { i, tonumber(dues[i]), ids[i], priorities[i], dues[i], records[i] }
  end
  table.sort(order, function(a, b) return a[2] < b[2] or a[2] == b[2] and a[1] < b[1] end)
  local last = math.min(#order, most)
  found = before
  for i = 1, last do
    local _, _, id, priority, due, record = unpack(order[i], 1, 6)
    local last_chance = is_last_chance(record, 0)
    if last_chance and chances == 0 then
      leave(index[priority])
    else
      if last_chance then chances = chances - 1 end
      found = found + 1
      ids[found], priorities[found], dues[found], records[found] = id, priority, due, record
    end
  end
end
