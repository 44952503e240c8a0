-- Compares what is kept of a queue with itself, a page of it at a time, and mends it if asked to.
--
-- KEYS: the base key of one queue, or of one partition: delay:queue:{order_timeout}
-- ARGV, all of them optional: 'look' | 'repair', where to go on or '' to begin, about how many entries to look at,
--       now in us or '' for the server's clock, last failure of tasks that were in no index
-- Returns { where to go on or '', how many entries were looked at,
--           { kind, subject, comma-separated names of the indexes it is in, index after a repair or '' of each finding },
--           { tasks ever scheduled, tasks accounted for, records, entries of all indexes, dead ids without a record } };
--           last of all, if consumers could not be woken, why
--
-- An id is judged once: by its record where it has one, else by its indexes. All writes follow at the end, the
-- first is HDEL: it works on a server without memory.

local NAMES = { 'normal', 'high', 'low', 'leases', 'dead', 'completed' }
local WALK = { 'tasks', 'deliveries', 'errors', 'normal', 'high', 'low', 'leases', 'dead', 'completed' }
local TOTALS = { 'scheduled', 'completed', 'cancelled', 'replaced', 'cleared', 'purged', 'orphans', 'buried', 'retried',
  'redriven', 'expired', 'stale', 'late', 'handling' }
local base = KEYS[1]
local index = { normal = base, high = base .. ':high', low = base .. ':low', leases = base .. ':leases',
  dead = base .. ':dead', completed = base .. ':completed' }
local hash = { tasks = base .. ':tasks', deliveries = base .. ':deliveries', errors = base .. ':errors',
  meta = base .. ':meta' }
local PRIORITY = { h = 'high', n = 'normal', l = 'low' }
local repair, cursor, limit = ARGV[1] == 'repair', ARGV[2] or '', tonumber(ARGV[3] or 500)
local now_text = ARGV[4] or ''
local LAYOUT, GROUPED, SLICE, ROUNDS = '1', '2 (groups.enabled)', 500, 64
local ROUND_BYTES, PAGE_BYTES, SHOWN = 262144, 1048576, 1024
local MAX_VALUE = 1024 -- bytes of a delivery record or a value of the meta hash that is read here; those of ours have fewer
local MAX_TIME, MAX_COUNT = 253402300799999, 2147483647 -- end of the year 9999; a Java int

if redis.replicate_commands then redis.replicate_commands() end

local time = now_text == '' and redis.call('TIME')
local now = math.floor((time and time[1] * 1000000 + time[2] or tonumber(now_text)) / 1000)

-- the days since 1970 as a date: Redis has no os.date
local function date(days)
  local z = days + 719468
  local era = math.floor(z / 146097)
  local doe = z - era * 146097
  local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local month = mp + (mp < 10 and 3 or -9)
  return string.format('%04d-%02d-%02d', yoe + era * 400 + (month <= 2 and 1 or 0), month,
    doy - math.floor((153 * mp + 2) / 5) + 1)
end

local second = math.floor(now / 1000)
local failure = ARGV[5] or string.format('{"reason":"RECOVERED","message":"A repair found it in no index of its queue. '
  .. 'Its due time is lost, and it may have been handled","at":"%sT%02d:%02d:%02dZ"}', date(math.floor(second / 86400)),
  math.floor(second / 3600) % 24, math.floor(second / 60) % 60, second % 60)

local function int(number) return string.format('%.0f', number) end

local findings, found = {}, {}
local function find(kind, subject, places, after)
  if found[kind .. subject] then return end
  found[kind .. subject] = true
  for _, value in ipairs({ kind, subject:sub(1, SHOWN), table.concat(places or {}, ','), repair and after or '' }) do
    findings[#findings + 1] = value
  end
end

-- read: sizes; with a key of another type nothing can be judged
local size, unusable = {}, false
local function measure(command, keys)
  for name, key in pairs(keys) do
    local reply = redis.pcall(command, key)
    if type(reply) == 'table' then
      if not reply.err:find('WRONGTYPE', 1, true) then error(reply.err, 0) end
      find('WRONG_TYPE', key)
      unusable, reply = true, 0
    end
    size[name] = reply
  end
end
measure('ZCARD', index)
measure('HLEN', hash)
measure('LLEN', { hours = base .. ':hours' })
measure('ZCARD', { groups = base .. ':groups', running = base .. ':running', rates = base .. ':rates' })
measure('HLEN', { slots = base .. ':slots' })
if unusable then return { '', 0, findings, { 0, 0, 0, 0, 0 } } end

-- one that is longer than any of ours is not read: '' stands for it, which is none of ours either
local function value(key, field)
  local bytes = redis.call('HSTRLEN', key, field)
  return bytes > MAX_VALUE and '' or redis.call('HGET', key, field)
end

local layout = value(hash.meta, 'layout')
if layout and layout ~= LAYOUT and layout ~= GROUPED then
  return redis.error_reply('LAYOUT the queue has layout version ' .. layout:sub(1, 20) .. ', this version understands '
    .. LAYOUT)
end

-- what a repair is going to write
local leaving, entering, records, unlisted = {}, {}, {}, { meta = {}, deliveries = {}, errors = {} }
local failed, buried, orphans, wakes = {}, 0, 0, false

local function add(lists, name, first, second)
  lists[name] = lists[name] or {}
  table.insert(lists[name], first)
  if second then table.insert(lists[name], second) end
end

local function places_of(scores, i)
  local places = {}
  for _, name in ipairs(NAMES) do
    if scores[name] and scores[name][i] then places[#places + 1] = name end
  end
  return places
end

-- in a queue with groups, the score of a task of a group has a slot besides the due time; whether the slot has a group that
-- will be looked at
local turns = {}
local function due_of(score)
  local number = tonumber(score)
  if layout ~= GROUPED or not number or number < 2 ^ 52 or number == math.huge then return score, true end
  local fraction, exponent = math.frexp(number)
  local place = fraction * 2 ^ 53 - 2 ^ 52
  local slot = int((exponent - 53) * 1024 + math.floor(place / 2 ^ 42))
  if turns[slot] == nil then
    local turn = tonumber(redis.call('ZSCORE', base .. ':groups', slot) or 'inf')
    turns[slot] = turn < 2 ^ 61 and redis.call('HEXISTS', base .. ':slots', '#' .. slot) == 1
  end
  return int(place % 2 ^ 42), turns[slot]
end

local function scores_of(ids)
  local scores, lost = {}, {}
  for _, name in ipairs(NAMES) do
    if size[name] > 0 then
      scores[name] = redis.call('ZMSCORE', index[name], unpack(ids))
      for i = 1, (name == 'normal' or name == 'high' or name == 'low') and #ids or 0 do
        local turn
        if scores[name][i] then scores[name][i], turn = due_of(scores[name][i]) end
        if turn == false then lost[i] = true end
      end
    end
  end
  return scores, lost
end

local function parse(record)
  local failures, expiries, priority, due, token = record:match('^(%d+):(%d+):([hnl]):(%d+):(.*)$')
  if not failures or math.max(tonumber(failures), tonumber(expiries)) > MAX_COUNT or tonumber(due) > MAX_TIME then
    return nil
  end
  return { counts = failures .. ':' .. expiries, priority = priority, due = due, token = token }
end

-- where a task in several indexes stays: what may still have to be done wins over what is over
local function chosen(places, scores, i, held)
  local best
  for _, name in ipairs(places) do
    if name == 'leases' and held then return name end
    local scheduled = name == 'normal' or name == 'high' or name == 'low'
    if not best or scheduled and tonumber(scores[name][i]) > tonumber(scores[best][i]) then best = name end
  end
  return best
end

local function judge_with_record(id, i, scores, record, lost)
  local places, delivery = places_of(scores, i), record and parse(record)
  if #places == 0 then
    find('RECORD_WITHOUT_INDEX', id, places, 'dead')
    add(entering, 'dead', int(now), id)
    records[#records + 1] = id
    records[#records + 1] = delivery and delivery.counts .. ':' .. delivery.priority .. ':' .. delivery.due .. ':'
      or '0:0:n:' .. int(now) .. ':'
    failed[#failed + 1] = id
    failed[#failed + 1] = failure
    buried = buried + 1
    return
  end

  local held = delivery and delivery.token ~= ''
  local stays = chosen(places, scores, i, held)
  local score = tonumber(scores[stays][i])
  local place, at, kinds = stays, score, {}
  local counts, priority, due = '0:0', 'n', nil
  if delivery then counts, priority, due = delivery.counts, delivery.priority, tonumber(delivery.due) end
  if #places > 1 then kinds[#kinds + 1] = 'SEVERAL_INDEXES' end
  if not (score >= 0 and score <= MAX_TIME) then
    kinds[#kinds + 1] = 'IMPOSSIBLE_TIME'
    at = score > MAX_TIME and MAX_TIME or now
  end
  if lost then kinds[#kinds + 1] = 'GROUP_WITHOUT_TURN' end
  if record and not delivery then kinds[#kinds + 1] = 'UNREADABLE_DELIVERY' end
  if stays == 'leases' and not held then
    if not record or delivery then kinds[#kinds + 1] = 'LEASE_WITHOUT_TOKEN' end
    place, at = PRIORITY[priority], due or now
  elseif stays ~= 'leases' and held then
    kinds[#kinds + 1] = 'TOKEN_WITHOUT_LEASE'
  elseif (stays == 'dead' or stays == 'completed') and not record then
    kinds[#kinds + 1] = 'MISSING_DELIVERY'
  end
  if #kinds == 0 then return end

  for _, kind in ipairs(kinds) do find(kind, id, places, place) end
  for _, name in ipairs(places) do
    if name ~= place then add(leaving, name, id) end
  end
  if place ~= stays or at ~= score or lost then add(entering, place, int(at), id) end
  if place == 'leases' then return end
  local scheduled = place ~= 'dead' and place ~= 'completed'
  wakes = wakes or scheduled
  if scheduled and counts == '0:0' then
    add(unlisted, 'deliveries', id)
  else
    records[#records + 1] = id
    records[#records + 1] = counts .. ':' .. priority .. ':' .. int(due or at) .. ':'
  end
end

local function judge_without_record(id, i, scores)
  local places = places_of(scores, i)
  if #places == 1 and places[1] == 'dead' then return end
  local dies = places[1] ~= 'completed'
  find('INDEX_WITHOUT_RECORD', id, places, dies and 'dead' or nil)
  for _, name in ipairs(places) do
    if name ~= 'dead' then add(leaving, name, id) end
  end
  add(unlisted, 'deliveries', id)
  add(unlisted, 'errors', id)
  if dies and not (scores.dead and scores.dead[i]) then
    add(entering, 'dead', int(now), id)
    buried, orphans = buried + 1, orphans + 1
  end
end

local judged = {}
local function look_at(name, ids)
  local fresh = {}
  for _, id in ipairs(ids) do
    if name == 'tasks' then
      if not judged[id] then fresh[#fresh + 1] = id end
      judged[id] = true
    elseif redis.call('HEXISTS', hash.tasks, id) == 0 then
      if index[name] then
        if not judged[id] then fresh[#fresh + 1] = id end
        judged[id] = true
      else
        find(name == 'errors' and 'ERROR_WITHOUT_RECORD' or 'DELIVERY_WITHOUT_RECORD', id)
        add(unlisted, name, id)
      end
    end
  end
  if #fresh == 0 then return end
  local scores, lost = scores_of(fresh)
  for i, id in ipairs(fresh) do
    if name == 'tasks' then
      judge_with_record(id, i, scores, value(hash.deliveries, id), lost[i])
    else
      judge_without_record(id, i, scores)
    end
  end
end

-- read: the page; a round takes few entries where they are large, and the first one finds out
local at, scan, checked, rounds, bytes = 1, '0', 0, 0, 0
if cursor ~= '' then
  local name
  name, scan = cursor:match('^(%a+):(%d+)$')
  while at <= #WALK and WALK[at] ~= name do at = at + 1 end
  if at > #WALK then return redis.error_reply('ERR this is no cursor that a check has returned') end
end
while at <= #WALK and checked < limit and bytes < PAGE_BYTES and rounds < ROUNDS do
  local name = WALK[at]
  local step = 1
  if index[name] then
    step = 100
  elseif bytes > 0 then
    step = math.max(1, math.min(100, math.floor(ROUND_BYTES * checked / bytes)))
  end
  local page = redis.call(index[name] and 'ZSCAN' or 'HSCAN', index[name] or hash[name], scan, 'COUNT',
    math.min(step, limit - checked))
  local ids = {}
  for i = 1, #page[2], 2 do
    ids[#ids + 1] = page[2][i]
    bytes = bytes + #page[2][i] + #page[2][i + 1]
    if #ids == SLICE or i + 1 == #page[2] then
      look_at(name, ids)
      checked, ids = checked + #ids, {}
    end
  end
  scan, rounds = page[1], rounds + 1
  if scan == '0' then at = at + 1 end
end
local done = at > #WALK

-- read: the totals
local total = {}
for _, name in ipairs(TOTALS) do
  local text = value(hash.meta, name) or '0'
  if #text > 18 or not text:match('^%-?%d+$') then
    find('UNREADABLE_TOTAL', name)
    add(unlisted, 'meta', name)
    text = '0'
  end
  total[name] = tonumber(text)
end

-- write: leave the old places first
local function run(command, key, arguments)
  for first = 1, #arguments, SLICE * 2 do
    redis.call(command, key, unpack(arguments, first, math.min(first + SLICE * 2 - 1, #arguments)))
  end
end

local function count(field, by)
  if by ~= 0 then redis.call('HINCRBY', hash.meta, field, by) end
  total[field] = total[field] + by
end

if repair then
  redis.call('HDEL', hash.meta, '') -- changes nothing, allows all that follows
  for name, fields in pairs(unlisted) do run('HDEL', hash[name], fields) end
  for name, ids in pairs(leaving) do run('ZREM', index[name], ids) end
  for name, entries in pairs(entering) do run('ZADD', index[name], entries) end
  run('HSET', hash.deliveries, records)
  run('HSET', hash.errors, failed)
  count('buried', buried)
  count('orphans', orphans)
  measure('ZCARD', index)
end

local indexed, accounted = 0, 0
for _, name in ipairs(NAMES) do indexed = indexed + size[name] end
accounted = indexed - size.completed + total.completed + total.cancelled + total.replaced + total.cleared + total.purged
if done then
  local difference = total.scheduled - accounted
  local strays = math.max(0, indexed - size.tasks) - total.orphans
  if difference ~= 0 then find('TOTALS', difference > 0 and 'cleared' or 'scheduled') end
  if strays ~= 0 then find('ORPHANS', 'orphans') end
  if repair then
    if difference > 0 then
      count('cleared', difference)
      accounted = accounted + difference
    else
      count('scheduled', -difference)
    end
    count('orphans', strays)
  end
end

local reply = { done and '' or WALK[at] .. ':' .. scan, checked, findings,
  { total.scheduled, accounted, size.tasks, indexed, total.orphans } }
if repair and wakes then
  local published = redis.pcall('PUBLISH', base .. ':wake', '0')
  if type(published) == 'table' then reply[#reply + 1] = published.err end
end
return reply
