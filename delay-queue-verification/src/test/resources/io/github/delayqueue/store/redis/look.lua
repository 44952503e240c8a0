-- All that Redis holds of a queue, in one reply.
--
-- KEYS: the six indexes, then the four hashes, and the list of hours
-- Returns for each index { id, score, ... }, for each hash { field, value, ... }, the lines, and then the keys that expire

local INDEXES, HASHES = 6, 4

local reply, expiring = {}, {}
for i, key in ipairs(KEYS) do
  if i <= INDEXES then
    reply[i] = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  elseif i <= INDEXES + HASHES then
    reply[i] = redis.call('HGETALL', key)
  else
    reply[i] = redis.call('LRANGE', key, 0, -1)
  end
  if redis.call('PTTL', key) >= 0 then expiring[#expiring + 1] = key end
end
reply[#reply + 1] = expiring
return reply
