-- Keeps traces of instances, so that others can tell who consumes what.
--
-- KEYS: the hash of traces, for all queues: id of an instance -> milliseconds since the epoch of its last trace, a space, the trace
-- ARGV: now in microseconds, empty for the server's clock; for how many milliseconds traces are kept; how many at most; to leave a trace: id, trace
-- Returns id, age in milliseconds and trace of each that is kept, perhaps one twice; of one that leaves a trace, nothing
--
-- Traces are removed when a new instance comes. HSCAN, because it is bounded: whoever writes more into the hash than we do does not
-- keep Redis busy.

local key, kept, most = KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local MAX_SCANS = 4
local now = tonumber(ARGV[1])
if not now then
    local time = redis.call('TIME')
    now = time[1] * 1000000 + time[2]
end
now = math.floor(now / 1000)

-- a clock that was set back makes nobody immortal
local function age(value)
    local at = tonumber(value:match('^(%d+) ') or '')
    return at and math.abs(now - at) or kept + 1
end

local function scan(visit)
    local cursor = '0'
    for _ = 1, MAX_SCANS do
        local page = redis.call('HSCAN', key, cursor, 'COUNT', most)
        for i = 1, #page[2], 2 do visit(page[2][i], page[2][i + 1]) end
        cursor = page[1]
        if cursor == '0' then break end
    end
end

if not ARGV[4] then
    local reply = {}
    scan(function(id, value)
        local gone = age(value)
        if gone <= kept and #reply < 3 * most then
            reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = id, gone, value:match('^%d+ (.*)$')
        end
    end)
    return reply
end

if redis.call('HSET', key, ARGV[4], string.format('%.0f %s', now, ARGV[5])) == 0 then return {} end
local others, old = {}, {}
scan(function(id, value)
    local gone = age(value)
    if gone > kept then old[#old + 1] = id elseif id ~= ARGV[4] then others[#others + 1] = { id, gone } end
end)
table.sort(others, function(one, other) return one[2] < other[2] end)
for i = math.max(most, 1), #others do old[#old + 1] = others[i][1] end
for i = 1, #old, 500 do redis.call('HDEL', key, unpack(old, i, math.min(i + 499, #old))) end
return {}
