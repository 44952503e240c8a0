-- Ids that come more than once in a call: the last one holds.
--
-- Needs the locals entries_of and earliest of a call that schedules.

-- an id that comes again in this call: forget when it was to be due
local placed -- from the first of these on: where each id is among the entries
local function drop(id)
  if not placed then
    placed = {}
    for _, entries in pairs(entries_of) do
      for i = 2, #entries, 2 do placed[entries[i]] = { entries, i } end
    end
  end
  placed[id][1][placed[id][2]] = false
end

-- without what was dropped
local function compact()
  earliest = math.huge
  for priority, entries in pairs(entries_of) do
    local left = {}
    for i = 2, #entries, 2 do
      if entries[i] then
        earliest = math.min(earliest, tonumber(entries[i - 1]))
        left[#left + 1], left[#left + 2] = entries[i - 1], entries[i]
      end
    end
    entries_of[priority] = left
  end
end
