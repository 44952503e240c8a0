-- Pauses a group, whether it has tasks or not, or ends its pause and wakes the consumers.
--
-- KEYS: the indexes of what waits, envelopes, leases and meta of one queue, then those of groups
-- ARGV: now in us or '' for the server's clock, wake channel, name of the group, '1' to pause it
-- Returns { 1 } if that was not so already, else { 0 }; last of all, if consumers could not be woken, why

local index = { h = KEYS[2], n = KEYS[1], l = KEYS[3] }
local tasks, leases, meta = KEYS[4], KEYS[5], KEYS[6]
local name, pausing = ARGV[3], ARGV[4] == '1'

-- part: scheduled.lua

local slot = tonumber(redis.call('HGET', slots, '=' .. name))
local paused = slot and tonumber(redis.call('ZSCORE', groups, slot)) == PAUSED or false
if paused == pausing then return { 0 } end
if pausing then
  local entries, given, fields = {}, { slot }, {}
  if not slot then given, fields = allot({ name }, entries) end
  if not given[1] then return redis.error_reply('ERR the queue has too many groups') end
  if not slot then redis.call('HSET', slots, unpack(fields)) end
  entries[#entries + 1], entries[#entries + 2] = int_text(PAUSED), given[1]
  redis.call('ZADD', groups, unpack(entries))
  redis.call('HSET', meta, 'layout', LAYOUT)
  return { 1 }
end
redis.call('ZADD', groups, string.format('%.0f', LINE), slot)
local published = redis.pcall('PUBLISH', ARGV[2], '0')
return { 1, type(published) == 'table' and published.err or nil }
