-- Takes the only task that is due, if it has no delivery: to find several costs the server more than such a task.
--
-- Needs the part heads, and the locals of a claim.

local due, only = 0, 0
for i = 1, #places do
  local pair = firsts[places[i]]
  if pair[2] <= now then due, only = due + (pair[4] <= now and 2 or 1), i end
end
local key = due == 1 and places[only] ~= leases and places[only]
local id = key and firsts[key][1]
local envelope = id and redis.call('HSTRLEN', deliveries, id) == 0 and redis.call('HMGET', tasks, id)[1]
-- of the last runs of what may be a recurring task there may be an error
if envelope and not envelope:sub(1, 40):find('"v":2,', 1, true) then
  local text = '0:0:' .. ('hnl'):sub(only, only) .. ':' .. int(math.max(0, firsts[key][2]))
  taken, leaving, lease_entries, new_records = 1, { [key] = 1 }, { deadline_text, id }, { id, text .. ':' .. token }
  reply = { id, envelope, text, false }
end
