-- What becomes of tasks that are not forgotten: the arguments of variadic commands, by what they do.
--
-- Needs the part scheduled, and the locals of a settlement.

local unlisted, cleared_errors, new_records, new_errors, new_dead, new_completed, scheduled = {}, {}, {}, {}, {}, {}, {}
totals.completed, totals.retried, totals.buried, totals.scheduled = 0, 0, 0, 0

local function add(list, first, second)
  list[#list + 1] = first
  if second then list[#list + 1] = second end
end

local function schedule_again(id, priority, at)
  earliest = math.min(earliest, at)
  scheduled[priority] = scheduled[priority] or {}
  add(scheduled[priority], int(at), id)
end

-- a run of a recurring task is over, or is not to be
local function recurs(id, action, charge, delay, expiries, priority, due)
  -- the next time may have come already, and is not changed then
  local at = math.min(tonumber(delay), MAX_DUE)
  if delay:byte() == 43 then at = (at == 0) and now_floor or math.min(now_ceil + at, MAX_DUE) end -- '+'
  schedule_again(id, priority, at)
  if action == 'skip' and charge ~= '1' and expiries ~= '0' then
    add(new_records, id, '0:' .. expiries .. ':' .. priority .. ':' .. due .. ':')
  else
    add(unlisted, id)
  end
  if action == 'repeat' then
    totals.completed, totals.scheduled = totals.completed + 1, totals.scheduled + 1
    add(cleared_errors, id)
  elseif charge == '1' then
    totals.retried = totals.retried + 1
  end
end

-- a task that is not forgotten; what its delivery has in common with others begins at an argument
goes_on = function(id, action, way, failures, expiries, priority, due)
  local charge, delay, failure = arguments[way + 2], arguments[way + 3], arguments[way + 4]
  add(held, id)
  local failed = (charge == '1') and int(math.min(failures + 1, MAX_COUNT)) or failures
  local record = failed .. ':' .. expiries .. ':' .. priority .. ':' .. due .. ':'
  if action == 'keep' then
    totals.completed = totals.completed + 1
    if #new_completed == 0 then redis.call('ZCARD', completed) end -- its type
    add(new_completed, int(now_floor), id)
    add(new_records, id, record)
    add(cleared_errors, id)
  elseif action == 'bury' then
    totals.buried = totals.buried + 1
    if #new_dead == 0 then redis.call('ZCARD', dead) end
    add(new_dead, int(now_floor), id)
    add(new_records, id, record)
  elseif action == 'repeat' or action == 'skip' then
    recurs(id, action, charge, delay, expiries, priority, due)
  else
    local at = math.min(tonumber(due), MAX_DUE)
    if delay ~= '' then
      at = (delay == '0') and now_floor or math.min(now_ceil + tonumber(delay), MAX_DUE)
    end
    schedule_again(id, priority, at)
    if action == 'retry' then totals.retried = totals.retried + 1 end
    if failed == '0' and expiries == '0' then
      add(unlisted, id)
    else
      add(new_records, id, record)
    end
  end
  if failure ~= '' and action ~= 'keep' then add(new_errors, id, failure) end
end

write_others = function()
  local function run(command, key, entries)
    if #entries > 0 then redis.call(command, key, unpack(entries)) end
  end
  run('HDEL', deliveries, unlisted)
  run('HDEL', errors, cleared_errors)
  run('HSET', deliveries, new_records)
  run('HSET', errors, new_errors)
  run('ZADD', completed, new_completed)
  run('ZADD', dead, new_dead)
  put(scheduled)
end
