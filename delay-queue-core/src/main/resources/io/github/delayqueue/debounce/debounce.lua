-- Tasks that are debounced: due after the last of a burst, but no later than a limit counts from the first. With '<<ms>' behind its
-- due time '+<ms>', a task is due after the latter, but as long after the first task of a burst as the former says at the latest.
-- The limit is written into the envelope: {"l":"<fifteen digits>",
--
-- Needs the part scheduled, and the locals tasks, deliveries, now_ceil, planned, envelopes and accepted of a call that schedules.

-- until when the burst goes on that a debounced task comes to. One that was delivered, or is due later because it was
-- moved or has come again since, is of none
local limits = {} -- by the ids of this call
local function limit_of(id, again)
  if again then return limits[id] end
  local envelope = redis.call('HGET', tasks, id)
  local limit = envelope and tonumber(envelope:match('^{"l":"(' .. ('%d'):rep(15) .. ')"'))
  if not limit or redis.call('HEXISTS', deliveries, id) == 1 then return end
  local due = find_waiting(id)
  return due and tonumber(due) <= limit and limit or nil
end

-- the due time of the task that was accepted last; its envelope gets its limit. What is
-- overdue keeps its place: if it moved behind the others each time, it would never be its turn
wishes['<'] = function(argument, task, due, score)
  local id = task.id
  limits[id] = argument and limit_of(id, task.before)
  if not argument then return due, score end
  if not argument:match('^%d+$') or task.due:byte() ~= 43 then return nil, 'a limit of debounce is none' end -- '+'
  local envelope = envelopes[2 * accepted]
  if task.policy ~= 'replace' or envelope:byte() ~= 123 then -- '{'
    return nil, 'what is debounced replaces, and its envelope is an object'
  end
  local limit = limits[id] or math.min(now_ceil + tonumber(argument), MAX_DUE)
  envelope = string.format('{"l":"%015.0f",', limit) .. envelope:sub(2)
  limits[id], planned[id], envelopes[2 * accepted] = limit, envelope, envelope
  due = math.min(due, limit)
  return due, string.format('%.0f', due)
end
