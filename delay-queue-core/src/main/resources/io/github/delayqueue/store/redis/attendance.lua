-- Keeps traces of instances, so that others can tell who consumes what.
--
-- KEYS: the hash of traces, for all queues: id of an instance -> milliseconds since the epoch of its last trace, a space, the trace;
--       an id and '/order' is of an earlier version, with orders that hold for half a minute
-- ARGV: now in microseconds, empty for the server's clock; for how many milliseconds traces are kept; how many at most;
--       to leave a trace: id, trace
-- Returns id, time and age in milliseconds, and trace of each that is kept, perhaps one twice; to one that leaves a trace, nothing
--
-- Traces are removed when a new instance comes. HSCAN, because it is bounded: whoever writes more into the hash than we do does not
-- keep Redis busy.

local key, kept, most, instance = KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local MAX_SCANS = 4
local ORDER, ORDER_HOLDS = '/order', 30000
local time = ARGV[1] == '' and redis.call('TIME')
local now = math.floor((time and time[1] * 1000000 + time[2] or tonumber(ARGV[1])) / 1000)

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

if not instance then
    local reply = {}
    scan(function(id, value)
        local gone = age(value)
        if gone <= kept and #reply < 4 * most and id:sub(-#ORDER) ~= ORDER then
            local at, trace = value:match('^(%d+) (.*)$')
            reply[#reply + 1], reply[#reply + 2], reply[#reply + 3], reply[#reply + 4] = id, tonumber(at), gone, trace
        end
    end)
    return reply
end

-- first, because it is allowed when memory is full, and then so is all that follows
redis.call('HDEL', key, instance .. ORDER)
if redis.call('HSET', key, instance, string.format('%.0f %s', now, ARGV[5])) == 0 then return {} end
local others, old = {}, {}
scan(function(id, value)
    local gone, order = age(value), id:sub(-#ORDER) == ORDER
    if gone > (order and ORDER_HOLDS or kept) then
        old[#old + 1] = id
    elseif not order and id ~= instance then
        others[#others + 1] = { id, gone }
    end
end)
table.sort(others, function(one, other) return one[2] < other[2] end)
for i = math.max(most, 1), #others do old[#old + 1] = others[i][1] end
for i = 1, #old, 500 do redis.call('HDEL', key, unpack(old, i, math.min(i + 499, #old))) end
return {}
