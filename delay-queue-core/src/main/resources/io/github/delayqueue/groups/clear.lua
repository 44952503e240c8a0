-- Forgets all tasks of a queue, and its groups.
--
-- KEYS and Returns: those of the script of the store that has this name

for _, key in ipairs({ KEYS[#KEYS - 2], KEYS[#KEYS] }) do redis.call('ZCARD', key) end
redis.call('HLEN', KEYS[#KEYS - 1])
local function clear_tasks()
  -- part: clear.lua
end
local reply = clear_tasks()
redis.call('UNLINK', KEYS[#KEYS - 2], KEYS[#KEYS - 1], KEYS[#KEYS])
return reply
