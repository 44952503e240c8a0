local MAX_RECORD = 1024 -- bytes of a delivery; those of ours have fewer

-- values of a hash for the first to the last of some ids, false for none. Of those that are longer than any of ours '' is read: some
-- are measured, and all if one of these is too long, because measuring takes the server as long as reading
local function values_of(key, most, ids, first, last)
  local longest, step = 0, math.ceil((last - first + 1) / 5)
  for i = first, last, step do longest = math.max(longest, redis.call('HSTRLEN', key, ids[i])) end
  if longest <= most then return redis.call('HMGET', key, unpack(ids, first, last)) end
  local values = {}
  for i = first, last do
    values[#values + 1] = redis.call('HSTRLEN', key, ids[i]) > most and '' or redis.call('HGET', key, ids[i])
  end
  return values
end
