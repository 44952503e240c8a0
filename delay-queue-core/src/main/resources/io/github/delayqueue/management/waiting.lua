-- Counts tasks that wait until they are due. A part with another index brings its own file of this name.
--
-- Needs the local index, a list of keys. A bound is a time in ms, behind ( if it is not meant itself.

local function due_by(bound)
  local tasks = 0
  for _, key in ipairs(index) do tasks = tasks + redis.call('ZCOUNT', key, '-inf', bound) end
  return tasks
end

-- when the first is due beyond a bound, infinite if none is
local function first_from(bound)
  local first = math.huge
  for _, key in ipairs(index) do
    local entry = redis.call('ZRANGE', key, bound, '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
    first = math.min(first, tonumber(entry[2]) or math.huge)
  end
  return first
end
