-- Reads the envelopes of what was found, and what else is told of each task, and makes its delivery.
--
-- In slices, so that large envelopes are not read in vain: as many as will fit if they are as large as those before and as some
-- of them, and not many more than have been read, because one may be large where the others are not.
-- Needs the parts slice and last_chance, and what a claim has found.

local MAX_FAILURE, MAX_COUNT = 8192, 2147483647 -- bytes; a Java int

local function bounded(number, most) return math.max(0, math.min(tonumber(number) or 0, most)) end

-- the counts, priority and due time of a task that was delivered before, and how many leases it has lost
local function delivered_before(known, priority, due)
  local failures, expiries, old_priority, old_due
  if known then failures, expiries, old_priority, old_due = string.match(known, '^(%d+):(%d+):([hnl]):(%d+):') end
  failures, expiries = bounded(failures, MAX_COUNT), bounded(expiries, MAX_COUNT - 1)
  if not priority then
    expired = expired + 1
    expiries, priority, due = expiries + 1, old_priority or 'n', old_due or now
  end
  return int(failures) .. ':' .. int(expiries) .. ':' .. priority .. ':' .. int(bounded(due, MAX_DUE)), failures > 0
end

local function read_envelopes()
  local suffix, bytes, position = ':' .. token, 0, 0
  local last_due, last_priority, text, record -- many that are new have the same delivery
  while position < found and (taken == 0 or bytes < max_bytes) do
    local last = position + slice_size(ids, position, found, bytes, taken, max_bytes)
    local envelopes = redis.call('HMGET', tasks, unpack(ids, position + 1, last))
    for i = 1, last - position do
      if taken > 0 and bytes >= max_bytes then break end
      position = position + 1
      local id, envelope, priority, due = ids[position], envelopes[i], priorities[position], dues[position]
      local key, known = index[priority] or leases, records[position]
      leaving[key] = (leaving[key] or 0) + 1
      if left_before[key] then table.insert(left_before[key], id) end
      if not envelope then
        orphan_ids[#orphan_ids + 1] = id
      else
        local told = envelope:find('^{"v":2,') or envelope:find('^{"g":"%d+","v":2,') -- also of the last runs
        if not priority or known then
          local failed
          record, failed = delivered_before(known, priority, due)
          told = told or failed
          text, last_due = priority and record or record .. ':expired', nil
          record = record .. suffix
        elseif due ~= last_due or priority ~= last_priority then
          last_due, last_priority = due, priority
          text = '0:0:' .. priority .. ':' .. int(bounded(due, MAX_DUE))
          record = text .. suffix
        end
        local failure = told and redis.call('HSTRLEN', errors, id) <= MAX_FAILURE and redis.call('HGET', errors, id) or false
        local second, fourth = 2 * taken, 4 * taken
        lease_entries[second + 1], lease_entries[second + 2] = deadline_text, id
        new_records[second + 1], new_records[second + 2] = id, record
        reply[fourth + 1], reply[fourth + 2], reply[fourth + 3], reply[fourth + 4] = id, envelope, text, failure
        taken, bytes = taken + 1, bytes + #envelope + (failure and #failure or 0)
      end
    end
  end
end
