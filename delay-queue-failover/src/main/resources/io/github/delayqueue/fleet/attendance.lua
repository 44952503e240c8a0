-- Reads the traces of instances, a page at a time.
--
-- KEYS: the hash of traces, as attend.lua leaves them
-- ARGV: now in microseconds, empty for the server's clock; where to go on, 0 to begin; which ids, as a pattern; how many bytes end a
--       page; 1 for traces, empty for their ages alone
-- Returns where to go on, 0 at the end; id, time and age in milliseconds, and trace of each. One may come twice, and at 0 if it
-- is none of ours
--
-- A place of the hash at a time, because HSCAN brings values whole, and those of instances with many queues are large. Whoever writes
-- more into the hash than we do does not keep Redis busy.

local key, cursor, ids, most, whole = KEYS[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5] == '1'
local MAX_SCANS, MAX_TIME = 500, 1e15
-- part: time.lua

local reply, bytes = { '0' }, 0
for _ = 1, MAX_SCANS do
    local page = redis.call('HSCAN', key, cursor, 'MATCH', ids, 'COUNT', 1)
    cursor = page[1]
    for i = 1, #page[2], 2 do
        local value = page[2][i + 1]
        local at = math.min(tonumber(value:match('^(%d+) ') or 0), MAX_TIME)
        bytes = bytes + #value
        reply[#reply + 1], reply[#reply + 2] = page[2][i], at
        -- a clock that was set back makes nobody immortal
        reply[#reply + 1], reply[#reply + 2] = math.abs(now - at), whole and value:match('^%d+ (.*)$') or ''
    end
    if cursor == '0' or bytes >= most then break end
end
reply[1] = cursor
return reply
