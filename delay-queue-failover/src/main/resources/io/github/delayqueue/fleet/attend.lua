-- Leaves the trace of an instance, so that others can tell who consumes what.
--
-- KEYS: the hash of traces, for all queues: id of an instance -> milliseconds since the epoch of its last trace, a space, the trace
-- ARGV: now in microseconds, empty for the server's clock; id; trace
-- Returns 1 if it is the first trace of the instance, 0 if there was one

local key, instance, trace = KEYS[1], ARGV[2], ARGV[3]
-- part: time.lua

-- first, because it is allowed when memory is full, and then so is what follows
redis.call('HDEL', key, '')
return { redis.call('HSET', key, instance, string.format('%.0f ', now) .. trace) }
