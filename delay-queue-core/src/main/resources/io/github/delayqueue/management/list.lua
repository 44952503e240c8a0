-- Looks at tasks: those of one state in the order of its index, or one by its id.
--
-- KEYS: the indexes, hashes and meta of one queue, see the locals below
-- ARGV: 'scheduled' | 'in_flight' | 'completed' | 'dead', how many to skip, how many at most,
--         how many bytes an envelope that is answered has at most, '' for all of them,
--         and, for only those scheduled tasks that are due, now in us or '' for the server's clock;
--         after a mebibyte of envelopes there are no more tasks: whoever wants them asks again
--       or 'any', id
-- Returns for each task: state, id, score in the index, priority or '', delivery record or '',
--                        envelope or false, last failure, '' for one that is too long to be one, or false

local index = { h = KEYS[2], n = KEYS[1], l = KEYS[3] }
local leases, tasks, deliveries, errors, dead, completed, meta = unpack(KEYS, 4)
local over = { in_flight = leases, completed = completed, dead = dead }

local ORDER = { 'h', 'n', 'l' }
local MAX_RECORD, MAX_FAILURE = 1024, 8192 -- bytes; those of ours have fewer
local MAX_BYTES = 1048576
local MANY = 100

-- How many entries of an index are among the first of all three merged: those of an index with a higher priority come
-- first among equals. Found by halves, so that it costs the same wherever the page is.
local function share(priority, first)
  local least, most = 0, math.min(first, redis.call('ZCARD', index[priority]))
  while least < most do
    local rank = math.ceil((least + most) / 2) - 1
    local score, before = redis.call('ZRANGE', index[priority], rank, rank, 'WITHSCORES')[2], rank
    local bound = score
    for _, other in ipairs(ORDER) do
      if other == priority then
        bound = '(' .. score
      else
        before = before + redis.call('ZCOUNT', index[other], '-inf', bound)
      end
    end
    if before < first then least = rank + 1 else most = rank end
  end
  return least
end

-- A page of the three indexes, merged by their heads.
local function merged(offset, limit)
  local entries, at, scores, page = {}, {}, {}, {}
  for _, priority in ipairs(ORDER) do
    local skip = offset > 0 and share(priority, offset) or 0
    -- to read entries of which two thirds are left out takes the server longer than to find out which, if there are many
    local stop = skip + limit
    if limit >= MANY then stop = share(priority, offset + limit) end
    entries[priority] = stop > skip and redis.call('ZRANGE', index[priority], skip, stop - 1, 'WITHSCORES') or {}
    at[priority], scores[priority] = 1, tonumber(entries[priority][2])
  end
  while #page < limit do
    local first
    for _, priority in ipairs(ORDER) do
      if scores[priority] and (not first or scores[priority] < scores[first]) then first = priority end
    end
    if not first then break end
    local i = at[first]
    page[#page + 1] =
      { id = entries[first][i], score = entries[first][i + 1], priority = first, state = 'scheduled' }
    at[first], scores[first] = i + 2, tonumber(entries[first][i + 3])
  end
  return page
end

local found = {}
if ARGV[1] == 'any' then
  local id = ARGV[2]
  for priority, key in pairs(index) do
    local score = redis.call('ZSCORE', key, id)
    if score then found[1] = { id = id, score = score, priority = priority, state = 'scheduled' } end
  end
  for state, key in pairs(over) do
    local score = redis.call('ZSCORE', key, id)
    if score then found[1] = { id = id, score = score, priority = '', state = state } end
  end
else
  local state, offset, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
  if state == 'scheduled' then
    found = merged(offset, limit)
    if ARGV[5] then
      local time = ARGV[5] == '' and redis.call('TIME')
      local now_ms = math.floor((time and time[1] * 1000000 + time[2] or tonumber(ARGV[5])) / 1000)
      while #found > 0 and tonumber(found[#found].score) > now_ms do found[#found] = nil end
    end
  else
    local entries = redis.call('ZRANGE', over[state], offset, offset + limit - 1, 'WITHSCORES')
    for i = 1, #entries, 2 do
      found[#found + 1] = { id = entries[i], score = entries[i + 1], priority = '', state = state }
    end
  end
end
if #found == 0 then return {} end

-- a value of a task, false for none. One that has more bytes is not even read: the last argument stands for it
local function value(key, id, most, longer)
  if redis.call('HSTRLEN', key, id) > most then return longer end
  return redis.call('HGET', key, id)
end

-- what is in flight, completed, or dead with an envelope has a delivery: if nobody else has, no scheduled task is looked for
local function orphans()
  return redis.call('HSTRLEN', meta, 'orphans') < 16 and tonumber(redis.call('HGET', meta, 'orphans')) or 0
end
local any_records = ARGV[1] ~= 'scheduled' or redis.call('HLEN', deliveries) ~= redis.call('ZCARD', leases)
  + redis.call('ZCARD', completed) + redis.call('ZCARD', dead) - orphans()
local any_failures = redis.call('HLEN', errors) > 0
local most_bytes = tonumber(ARGV[4] or '') or math.huge
local reply, bytes = {}, 0
for i, task in ipairs(found) do
  if bytes >= MAX_BYTES then break end
  local n, envelope = 7 * i, most_bytes > 0 and value(tasks, task.id, most_bytes, false)
  bytes = bytes + (envelope and #envelope or 0)
  reply[n - 6], reply[n - 5], reply[n - 4], reply[n - 3] = task.state, task.id, task.score, task.priority
  reply[n - 2] = any_records and value(deliveries, task.id, MAX_RECORD, '') or ''
  reply[n - 1], reply[n] = envelope, any_failures and value(errors, task.id, MAX_FAILURE, '')
end
return reply
