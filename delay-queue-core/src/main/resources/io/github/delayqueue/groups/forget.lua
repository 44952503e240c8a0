-- Forgets what is left of a queue without tasks, and that it had groups.
--
-- KEYS and Returns: those of the script of the store that has this name

local function forget_queue()
  -- part: forget.lua
end
local reply = forget_queue()
if reply[1] == 1 then redis.call('UNLINK', unpack(KEYS, #KEYS - 3)) end
return reply
