-- A text that is another one when the figures of a queue have changed, but for retries and totals other than that of completed
-- tasks. Changes nothing.
--
-- KEYS: the indexes of one queue, its leases, dead, meta
-- ARGV: now in us or '' for the server's clock
-- Returns { the text, or '' if its figures change with time alone, or nothing can be told }

local MAX_DUE = 253402300799999 -- end of the year 9999; a part of the library may keep a queue in another way
local MAX_VALUE = 20 -- bytes of a value of the meta hash
local leases, dead, meta = KEYS[4], KEYS[5], KEYS[6]

-- part: time.lua

local said = {}
for i = 1, 3 do
  local due = redis.call('ZRANGE', KEYS[i], 0, 0, 'WITHSCORES')[2]
  if due and (tonumber(due) <= now or tonumber(due) > MAX_DUE) then return { '' } end
  said[i] = due and due .. ' ' .. redis.call('ZCARD', KEYS[i]) or ''
end
if redis.call('ZCARD', leases) > 0 then return { '' } end
said[4] = redis.call('ZCARD', dead)
for _, name in ipairs({ 'completed', 'paused' }) do
  if redis.call('HSTRLEN', meta, name) > MAX_VALUE then return { '' } end
  said[#said + 1] = redis.call('HGET', meta, name) or ''
end
return { table.concat(said, ',') }
