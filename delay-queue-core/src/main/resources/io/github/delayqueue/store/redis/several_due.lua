-- Finds what may be taken, in the order of delivery, and reads it. Leases that have run out have no priority here.
--
-- Needs the part heads, and the locals of a claim.

local expired_limit, max_bytes, oldest_first = tonumber(ARGV[4]), tonumber(ARGV[6]), ARGV[7] == '1'
local max_expiries, chances = tonumber(ARGV[9]), ARGV[10] == '0' and 0 or 1
local ids, priorities, dues, records, found = {}, {}, {}, {}, 0
leaving, lease_entries, new_records = {}, {}, {}

-- part: last_chance.lua
-- part: values.lua
-- part: windows.lua

local most_expired = math.min(expired_limit, math.max(1, math.floor(limit / 2)))
if most_expired > 0 then chances = add(leases, nil, most_expired, 1, chances) end
-- part: due_tasks.lua

-- part: slice.lua
-- part: envelopes.lua
read_envelopes()
