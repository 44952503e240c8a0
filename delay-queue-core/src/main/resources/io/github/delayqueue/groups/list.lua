-- Looks at tasks: those without a group come first, then those of one group after the other, each in the order of due times.
--
-- KEYS, ARGV and Returns: those of the script of the store that has this name

-- part: slots.lua
local due_by = ARGV[5] and tonumber(ARGV[5])
if ARGV[5] == '' then
  local time = redis.call('TIME')
  due_by = time[1] * 1000000 + time[2]
end
ARGV[5] = nil
local function list_tasks()
  -- part: list.lua
end
local reply, kept = list_tasks(), {}
for i = 1, #reply, 7 do
  local due = -math.huge
  if reply[i] == 'scheduled' then
    due = select(2, place_of(tonumber(reply[i + 2])))
    reply[i + 2] = string.format('%.0f', due)
  end
  if not due_by or due * 1000 <= due_by then
    for j = i, i + 6 do kept[#kept + 1] = reply[j] end
  end
end
return kept
