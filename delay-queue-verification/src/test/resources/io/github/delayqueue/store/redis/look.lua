-- All that Redis holds of a queue, in one reply.
--
-- KEYS: the six indexes, then the four hashes
-- Returns for each index { id, score, ... }, for each hash { field, value, ... }, and then the keys that expire

local INDEXES = 6

local reply, expiring = {}, {}
for i, key in ipairs(KEYS) do
  if i <= INDEXES then
    reply[i] = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  else
    reply[i] = redis.call('HGETALL', key)
  end
  if redis.call('PTTL', key) >= 0 then expiring[#expiring + 1] = key end
end
reply[#reply + 1] = expiring
return reply
