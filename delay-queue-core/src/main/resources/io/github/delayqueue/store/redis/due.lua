-- Due times as they are written in arguments.
--
-- Needs the locals now_floor, now_ceil and MAX_DUE of a call that schedules.

-- when a task is due, as number and as text: Redis would print each number with 17 digits; nothing if that is no time
local function due_of(text)
  local ms = tonumber(text) or tonumber(text:match('^%+(%-.+)'))
  local earliest = 0
  if not ms then
    ms, earliest = text:match('^%+(%d+)>(%d+)$')
    ms, earliest = tonumber(ms), tonumber(earliest)
  end
  if not ms or ms % 1 ~= 0 then return end -- nor is it of what is infinite, or no number
  local due
  if text:byte() ~= 43 then -- '+'
    if ms >= now_floor and ms <= MAX_DUE and not text:find('%D') then return ms, text end
    due = math.max(now_floor, math.min(ms, MAX_DUE))
  else
    due = math.min(math.max(ms <= 0 and now_floor or now_ceil + ms, earliest), MAX_DUE)
  end
  return due, string.format('%.0f', due)
end
