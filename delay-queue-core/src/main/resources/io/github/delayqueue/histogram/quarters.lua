-- The quarters of an hour of which a queue has a line: 'quarter count count …', the quarter since the epoch.

local QUARTER_MS, KEPT, MAX_LINE, MAX_DIGITS = 900000, 96, 512, 15 -- lines and counts of ours are no longer

local quarter = math.floor(now / QUARTER_MS)

-- the quarter and the counts of a line; of one that is not ours, nothing
local function counted(line)
  local numbers = {}
  if #line <= MAX_LINE and not line:find('[^%d ]') then
    for number in line:gmatch('%d+') do numbers[#numbers + 1] = #number <= MAX_DIGITS and tonumber(number) or 0 end
  end
  return table.remove(numbers, 1), numbers
end
