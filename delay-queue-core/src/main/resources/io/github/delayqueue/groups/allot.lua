-- Gives slots to groups.
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
