-- Reads who has changed a queue, the latest first. Changes nothing.
--
-- KEYS: the list of changes, see change.lua
-- ARGV: the queue, how many changes are looked at, how many are answered at most
-- Returns the changes

local MAX_BYTES = 2048 -- those of ours have fewer
local changes, found = redis.call('LRANGE', KEYS[1], -ARGV[2], -1), {}
for i = #changes, 1, -1 do
  if #found == tonumber(ARGV[3]) then break end
  if #changes[i] <= MAX_BYTES and changes[i]:match('^%d+\t%d*\t([^\t]*)\t') == ARGV[1] then found[#found + 1] = changes[i] end
end
return found
