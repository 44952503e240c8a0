-- pcall: a total that is no number must not end the step half-way; a check finds it
local function count(field, by)
  if by ~= 0 then redis.pcall('HINCRBY', meta, field, by == 1 and '1' or by) end
end
