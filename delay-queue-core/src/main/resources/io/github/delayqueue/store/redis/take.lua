-- Takes what is due into flight.
--
-- Needs the part heads, and the locals of a claim.

-- read: what can be taken, and what the writes below are made of
local deadline = math.min(now + lease_duration, MAX_DUE)
local deadline_text = int(deadline)
local leaving, lease_entries, new_records, note_taken, earliest_later
local taken, expired, left_before = 0, 0, {} -- in which indexes some have to stay, and what is taken there

-- part: one_due.lua
if taken == 0 then
  -- part: several_due.lua
end
if #orphan_ids > 0 then
  -- read: a key of another type is refused before anything is written; the others have been read
  redis.call('ZCARD', dead)
  redis.call('HLEN', errors)
end

-- write: leave the old places first; of each index those that were its first
-- part: count.lua
for key, gone in pairs(leaving) do
  if left_before[key] then
    redis.call('ZREM', key, unpack(left_before[key]))
  else
    redis.call('ZREMRANGEBYRANK', key, '0', gone == 1 and '0' or gone - 1)
  end
end
if #orphan_ids > 0 then
  for _, id in ipairs(orphan_ids) do redis.call('ZADD', dead, int(now), id) end
  redis.call('HDEL', deliveries, unpack(orphan_ids))
  redis.call('HDEL', errors, unpack(orphan_ids))
  count('orphans', #orphan_ids)
  count('buried', #orphan_ids)
end
if taken > 0 then
  redis.call('ZADD', leases, unpack(lease_entries))
  redis.call('HSET', deliveries, unpack(new_records))
  count('expired', expired)
  local holder = token:match('^%w+[~?]')
  if holder and not holders:find(holder, 1, true) then
    holders = (holder .. holders):sub(1, MAX_HOLDERS)
    redis.call('HSET', meta, 'holders', holders)
  end
  for i = 1, #took do took[i](taken) end
end
if note_taken then note_taken(reply, orphan_ids) end

first = (left > 0 and taken == 0) and earliest_later() or earliest(leaving, left_before)
if taken > 0 then first = math.min(first, deadline) end
in_flight = taken > 0 or redis.call('ZCARD', leases) > 0
