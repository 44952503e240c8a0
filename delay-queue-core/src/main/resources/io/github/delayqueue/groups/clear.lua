-- Forgets all tasks of a queue, and its groups. What these took of their rates stays taken.
--
-- KEYS and Returns: those of the script of the store that has this name

local groups, slots, running = unpack(KEYS, #KEYS - 3)
for _, key in ipairs({ groups, running }) do redis.call('ZCARD', key) end
redis.call('HLEN', slots)
local function clear_tasks()
  -- part: clear.lua
end
local reply = clear_tasks()
redis.call('UNLINK', groups, slots, running)
return reply
