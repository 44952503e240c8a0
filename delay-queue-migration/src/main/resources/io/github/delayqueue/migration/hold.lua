-- Lets one instance at a time move what a source holds: takes the lock, keeps it, or lets go of it.
--
-- KEYS: the lock of a source
-- ARGV: who asks, for how many ms; 0 to let go
-- Returns { 1 } if whoever asks has the lock, or has let go of it, else { 0 }

local lock = KEYS[1]
local holder, lease = ARGV[1], tonumber(ARGV[2])

local present = redis.call('GET', lock)
if present and present ~= holder then return { 0 } end
if lease == 0 then
  if present then redis.call('DEL', lock) end
else
  redis.call('SET', lock, holder, 'PX', lease)
end
return { 1 }
