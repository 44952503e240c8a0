-- Keeps house in a queue: removes completed tasks and dead letters that its retentions allow to go.
--
-- KEYS: what is over, hashes and meta of one queue, see the locals below
-- ARGV: now in us or '' for the server's clock, retention of completed tasks in ms, retention of dead ones in ms or '',
--       how many dead ones to keep or ''
-- Returns { ids of dead letters removed, 1 if the retentions allow more to go than this call has removed }; the next claim says
--         then at once that it is time to tend
--
-- The first write is ZREMRANGEBYRANK: it works on a server without memory.

local dead, completed, tasks, deliveries, errors, meta = unpack(KEYS)
local keep_completed, keep_dead, max_dead = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local TRIM, TRIM_BYTES, TRIM_LOOKS = 1000, 16777216, 20 -- more than twice what one claim can bring

-- part: time.lua
-- part: count.lua

local function int(number) return string.format('%.0f', number) end

-- of ids that may be removed, those that are: fewer where envelopes are large, because it takes the server time to free
-- their memory. How large they are is seen by some of them
local function without_too_much(ids)
  local bytes, looks = 0, 0
  for i = 1, #ids, math.ceil(#ids / TRIM_LOOKS) do
    bytes, looks = bytes + redis.call('HSTRLEN', tasks, ids[i]), looks + 1
  end
  local most = math.max(1, bytes > 0 and math.floor(TRIM_BYTES * looks / bytes) or TRIM)
  for i = #ids, most + 1, -1 do ids[i] = nil end
  return ids
end

-- read: what is over for longer than it is to be kept
local completed_until = int(now - keep_completed)
local old_completed = redis.call('ZRANGE', completed, '-inf', completed_until, 'BYSCORE', 'LIMIT', 0, TRIM)
local left = false
if #old_completed > 0 then
  local found = #old_completed
  old_completed = without_too_much(old_completed)
  left = #old_completed < found or found == TRIM and redis.call('ZCOUNT', completed, '-inf', completed_until) > TRIM
end
local surplus = keep_dead and redis.call('ZCOUNT', dead, '-inf', int(now - keep_dead)) or 0
if max_dead then surplus = math.max(surplus, redis.call('ZCARD', dead) - max_dead) end
local old_dead = {}
if surplus > 0 then old_dead = without_too_much(redis.call('ZRANGE', dead, 0, math.min(surplus, TRIM) - 1)) end
left = left or surplus > #old_dead

-- read: a key of another type is refused before anything is written
for _, key in ipairs({ tasks, deliveries, errors }) do redis.call('HLEN', key) end

-- write
if #old_completed > 0 then
  redis.call('ZREMRANGEBYRANK', completed, 0, #old_completed - 1)
  redis.call('HDEL', tasks, unpack(old_completed))
  redis.call('HDEL', deliveries, unpack(old_completed))
end
if #old_dead > 0 then
  redis.call('ZREMRANGEBYRANK', dead, 0, #old_dead - 1)
  local with_record = redis.call('HDEL', tasks, unpack(old_dead))
  redis.call('HDEL', deliveries, unpack(old_dead))
  redis.call('HDEL', errors, unpack(old_dead))
  count('purged', #old_dead)
  count('orphans', with_record - #old_dead)
end
if left then redis.call('HDEL', meta, 'tended') end
return { old_dead, left and 1 or 0 }
