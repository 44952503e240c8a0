-- Takes due tasks of one group after the other: of those that wait in line the ones that wait for longest, then of those that have
-- just become due. Each has its share of the room that is left; whoever has more to take goes to the end of the line.
--
-- Needs the parts heads, windows and last_chance, and the locals of a claim; the last arguments are '1' if groups are ordered, a rate,
-- how many tasks of a group may be taken or '', in how many us or '', and how many may be in flight, or ''.

local RECHECK_US = 1000000
-- A turn is for so many tasks, if there is room: to look at a group costs as much as a few tasks
local QUANTUM = math.max(4, math.ceil(limit / 50))
local MANY = 10 -- tasks
local MOST, SPARE = 250, 8 -- groups that are looked at; beyond those that there is room for, because some may be busy
local ordered = ARGV[#ARGV - 3] == '1'
local group_rate, group_rate_us = tonumber(ARGV[#ARGV - 2]), tonumber(ARGV[#ARGV - 1])
local concurrency = tonumber(ARGV[#ARGV]) or math.huge
local SAVED_US, PAUSE_US = 100000, 5000 -- as those of the queue (rate_limit.lua)
local limited = concurrency < math.huge
local tracked = limited or redis.call('ZCARD', running) > 0
local slot, lowest, scale, range_from, next_due -- of the group that is looked at; scores are the lowest and due times to this scale
local looked, firsts_of, lasts_of, slot_of, strays, later = {}, {}, {}, {}, { '' }, math.huge

-- what permits of a rate that have come in since a time are worth now: since when, and how many
local function bucket(since, rate, rate_us)
  local interval = math.ceil(rate_us / rate)
  -- one that is ahead means that the clock has been set back
  since = since > now_us and now_us - interval or math.max(since, now_us - interval - SAVED_US)
  return since, math.floor((now_us - since) * rate / rate_us)
end

local function from_text()
  range_from = range_from or score_in(slot, 0)
  return range_from
end

-- To write out a score takes the server longer than to find it, and tasks are often due together, those of several groups as well:
-- the first tasks of a group if all of them are due when those of others were
local alike = 0 -- when that was, nil if it is not so
local function alike_in(key, most)
  if not alike or most < MANY then return end
  if alike == 0 then
    local first = redis.call('ZRANGE', key, from_text(), score_in(slot, now), 'BYSCORE', 'LIMIT', '0', '1', 'WITHSCORES')[2]
    alike = first and (first - lowest) / scale
    if not alike then return end
  end
  local score = score_in(slot, alike)
  local members = redis.call('ZRANGE', key, score, score, 'BYSCORE', 'LIMIT', '0', most)
  if #members == most and redis.call('ZCOUNT', key, from_text(), '(' .. score) == 0 then return members end
  if #members < MANY then alike = nil end
end

local plain_window = window_of
window_of = function(key, rank, wanted, scored)
  if not scored or slot == 0 then return plain_window(key, rank, wanted, scored) end
  -- and the one after, which says whether the group has more
  local window, dues_of = rank == 0 and alike_in(key, wanted + 1), {}
  if window then
    window[wanted + 1], next_due = nil, math.min(next_due, alike)
    for i = 1, wanted do dues_of[i] = alike end
    return window, dues_of
  end
  window = {}
  local entries = redis.call('ZRANGE', key, from_text(), score_in(slot, DUES - 1), 'BYSCORE', 'LIMIT', rank, wanted + 1, 'WITHSCORES')
  local score, due
  for i = 1, #entries, 2 do
    if entries[i + 1] ~= score then
      score = entries[i + 1]
      due = (tonumber(score) - lowest) / scale
    end
    if due > now or i > 2 * wanted then
      next_due = math.min(next_due, due)
      if due > now then later = math.min(later, due) end
      break
    end
    window[(i + 1) / 2], dues_of[(i + 1) / 2] = entries[i], due
  end
  return window, dues_of
end

local later_without = earliest_later
earliest_later = function()
  local at = redis.call('ZRANGE', groups, '(' .. int(now_us), '(' .. int(FULL), 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2]
  return math.min(later_without(), at and math.floor(at / 1000) or math.huge, later)
end

local due_without = false
local used = {} -- priorities of which there are tasks
for _, priority in ipairs({ 'h', 'n', 'l' }) do
  left_before[index[priority]] = {} -- what is taken are not the first ones
  if firsts[index[priority]][1] then used[#used + 1] = priority end
  due_without = due_without or firsts[index[priority]][2] <= now
end

-- part: oldest_first.lua

-- the groups to look at, which of them have just become due, and the last place of the line
local function in_turn(most)
  local line = redis.call('ZRANGE', groups, '-inf', '(' .. int(LINE), 'BYSCORE', 'LIMIT', 0, most)
  local tail = #line > 0
    and redis.call('ZRANGE', groups, '(' .. int(LINE), '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, 1, 'WITHSCORES')[2] or '0'
  local turns, fired = {}, {}
  for i, each in ipairs(line) do turns[i] = each end
  if due_without and tonumber(redis.call('ZSCORE', groups, '0') or LINE) >= LINE then fired[1] = '0' end
  for _, each in ipairs(redis.call('ZRANGE', groups, int(LINE), int(now_us), 'BYSCORE', 'LIMIT', 0, MOST)) do
    fired[#fired + 1] = each
  end
  if recheck <= now then
    recheck = math.huge
    for _, each in ipairs(redis.call('ZRANGE', groups, int(FULL), int(FULL + now_us), 'BYSCORE', 'LIMIT', 0, MOST)) do
      fired[#fired + 1] = each
    end
  end
  for _, each in ipairs(fired) do
    if #turns < most then turns[#turns + 1] = each end
  end
  return turns, fired, tonumber(tail)
end

-- so far beyond FULL a time becomes less exact
local function full_until(us)
  recheck = math.min(recheck, math.ceil(us / 1000))
  return FULL + us - 256
end

-- where a task waits that is to be tried again before any other of its group
local function waits_again(id)
  for _, priority in ipairs(used) do
    local of, due = place_of(tonumber(redis.call('ZSCORE', index[priority], id) or 0))
    if of == slot then return { id = id, priority = priority, due = due } end
  end
end

-- how many more of the group may be in flight, and which task of it has to be the next. Those that are in no place were ended by
-- an instance that does not know of groups
local function places_left()
  local held, again = redis.call('ZCOUNT', running, slot, '(' .. slot + 1), nil
  if held >= concurrency then
    local ids_held = redis.call('ZRANGE', running, slot, '(' .. slot + 1, 'BYSCORE', 'LIMIT', 0, MOST)
    for i, deadline_held in ipairs(redis.call('ZMSCORE', leases, unpack(ids_held))) do
      local waits = ordered and not deadline_held and waits_again(ids_held[i])
      if waits then
        again = waits
      elseif not deadline_held then
        strays[#strays + 1], held = ids_held[i], held - 1
      end
    end
  end
  return math.max(0, concurrency - held), held, again
end

-- permits: reads since when those of groups have come in. A group of which nothing is stored has all that can be saved up
local names, rated_since = {}, {} -- by slot, of groups that have a rate
local function read_rates(turns)
  local fields, of = { '#0' }, {}
  for i, each in ipairs(turns) do fields[i + 1] = '#' .. each end
  for i, name in ipairs(redis.call('HMGET', slots, unpack(fields))) do of[i] = name or '' end
  for i, stored in ipairs(redis.call('ZMSCORE', rates, unpack(of))) do
    local each = tonumber(turns[i - 1])
    if of[i] ~= '' then names[each], rated_since[each] = of[i], tonumber(stored or 0) end
  end
end

-- takes the permits of what is taken. What is claimed again because its lease ran out takes one if there is one, but waits for none.
-- What is stored goes as soon as it says no more than nothing would
local function take_rates(reply)
  local taken_of, of, entries = {}, {}, {}
  for i = 1, #reply, 4 do
    local name = name_in(reply[i + 1])
    if name and not taken_of[name] then taken_of[name], of[#of + 1] = 0, name end
    if name then taken_of[name] = taken_of[name] + 1 end
  end
  for i, stored in ipairs(#of > 0 and redis.call('ZMSCORE', rates, unpack(of)) or {}) do
    local since = bucket(tonumber(stored or 0), group_rate, group_rate_us)
    entries[2 * i - 1] = int(math.min(since + math.ceil(taken_of[of[i]] * group_rate_us / group_rate), now_us))
    entries[2 * i] = of[i]
  end
  local over = math.ceil(group_rate_us / group_rate) + SAVED_US
  redis.call('ZREMRANGEBYSCORE', rates, '-inf', int(now_us - over))
  if #entries > 0 then redis.call('ZADD', rates, unpack(entries)) end
  redis.pcall('PEXPIRE', rates, int(math.ceil(over / 1000) + DAY_MS))
end

-- when a group that has taken so many has its next permit
local function next_permit(since, taken_here)
  local comes = since + math.ceil((taken_here + 1) * group_rate_us / group_rate)
  return math.ceil(math.max(comes, taken_here > 0 and now_us + PAUSE_US or 0) / 1000) * 1000
end

local function wait_for_an_end()
  redis.pcall('HSET', meta, 'full', '1') -- who settles next is to wake the consumers
  return full_until(now_us + RECHECK_US)
end

-- looks at a task that is the next one of its group whatever else is due
local function look_again_at(task)
  if task.due > now then return full_until(task.due * 1000) end
  slot_of[task.id] = slot
  local known = values_of(deliveries, MAX_RECORD, { task.id }, 1, 1)
  chances = add_window(index[task.priority], task.priority, { task.id }, { task.due }, known, found + 1, 0, chances)
  return wait_for_an_end()
end

-- looks at a group: what it has, up to a share, and when it is to be looked at again: LINE for in line
local function look_at(share)
  scale = 2 ^ math.floor(slot / SLOTS)
  lowest, range_from, next_due = (GROUPED + slot % SLOTS * DUES) * scale, nil, math.huge
  local places, held, again, before = math.huge, 0, nil, found
  if tracked and slot > 0 then places, held, again = places_left() end
  local since, most = nil, math.huge
  if names[slot] then since, most = bucket(rated_since[slot], group_rate, group_rate_us) end
  if again and most > 0 then return look_again_at(again) end
  share = math.min(share, places, most)
  for _, priority in ipairs(used) do
    local wanted = share - (oldest_first and 0 or found - before)
    if wanted > 0 then
      local chances_left = add(index[priority], priority, wanted, 0, chances)
      if not oldest_first then chances = chances_left end
    elseif slot > 0 and next_due > now then
      window_of(index[priority], 0, 0, priority) -- when its first is due
    end
  end
  if oldest_first then
    if found - before > share then next_due = now end
    sort_oldest_first(before, share)
  end
  local taken_here = found - before
  for i = limited and before + 1 or math.huge, found do slot_of[ids[i]] = slot end
  if slot == 0 then return taken_here == share and LINE or IDLE end
  if again then return full_until(math.max(next_permit(since, 0), again.due * 1000)) end
  if next_due <= now and taken_here >= places then return wait_for_an_end() end
  if next_due <= now and taken_here >= most then return next_permit(since, taken_here) end
  if next_due <= now then return LINE end
  if next_due < math.huge then return next_due * 1000 end
  return held + taken_here > 0 and tracked and IDLE or math.huge
end

local turns, fired, tail = in_turn(math.min(limit - found + SPARE, MOST))
if group_rate then read_rates(turns) end
if #turns > FEW then FEW = 0 end -- look once whether any task was delivered before, not for each group
for i, each in ipairs(turns) do
  if found == limit then break end
  slot, firsts_of[each] = tonumber(each), found + 1
  looked[each] = look_at(math.min(limit - found, math.max(QUANTUM, math.ceil((limit - found) / (#turns - i + 1)))))
  lasts_of[each] = found
end

-- who is looked at again when, by slot; slots of groups that have no task any more are free
note_taken = function(reply, orphan_ids)
  for _, id in ipairs(orphan_ids) do strays[#strays + 1] = id end
  redis.call('ZREM', running, unpack(strays))
  local entries, in_line, over = {}, {}, {}
  local function place(at, each) entries[#entries + 1], entries[#entries + 2] = int_text(at), each end
  -- if not all could be taken, who got nothing keeps its place
  local cut, is_taken = left > 0 or #reply / 4 + #orphan_ids < found, {}
  for i = cut and 1 or math.huge, #reply, 4 do is_taken[reply[i]] = true end
  for _, each in ipairs(cut and turns or {}) do
    local got = false
    for i = firsts_of[each] or 1, lasts_of[each] or 0 do got = got or is_taken[ids[i]] end
    if not got then looked[each] = nil end
  end
  for _, each in ipairs(fired) do
    if not looked[each] then in_line[#in_line + 1] = each end
  end
  if looked['0'] == LINE then
    looked['0'] = IDLE
    for _, priority in ipairs(used) do
      if (tonumber(score_at(index[priority], 0)) or math.huge) <= now then looked['0'] = LINE end
    end
  end
  for _, each in ipairs(turns) do
    local at = looked[each]
    if at == LINE or at and cut and each ~= '0' then
      in_line[#in_line + 1] = each
    elseif at == math.huge then
      over[#over + 1] = each
    elseif at then
      place(at, each)
    end
  end
  for i, each in ipairs(in_line) do place(tail + i, each) end
  if #entries > 0 then redis.call('ZADD', groups, unpack(entries)) end
  free_slots(over)
  local started = {}
  for i = limited and 1 or math.huge, #reply, 4 do
    local of = slot_of[reply[i]] or 0
    if of > 0 then started[#started + 1], started[#started + 2] = of + (ordered and IN_ORDER or 0), reply[i] end
  end
  if #started > 0 then redis.call('ZADD', running, unpack(started)) end
  if group_rate then take_rates(reply) end
  if layout ~= LAYOUT then redis.call('HSET', meta, 'layout', LAYOUT) end
end
