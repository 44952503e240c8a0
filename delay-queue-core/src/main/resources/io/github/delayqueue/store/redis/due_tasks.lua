-- Finds due tasks in the order of delivery. A part of the library that has another order brings its own file of this name.
--
-- Needs the parts heads, windows and last_chance, and the locals of a claim; places of lost leases have been found.

-- part: oldest_first.lua

local expired_found, mixed = found, false
for _, priority in ipairs({ 'h', 'n', 'l' }) do
  local before, wanted = found, limit - (oldest_first and expired_found or found)
  if wanted > 0 then
    local chances_left = add(index[priority], priority, wanted, 0, chances)
    if not oldest_first then chances = chances_left end
    mixed = mixed or (found > before and before > expired_found)
  end
end
if oldest_first and mixed then sort_oldest_first(expired_found, limit - expired_found) end
