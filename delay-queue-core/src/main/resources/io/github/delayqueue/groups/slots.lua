-- Where tasks of groups stand. Each group has a slot as long as it has tasks. A task of a group stands in the index of its priority
-- behind all tasks without a group, beside those of its slot, in the order of due times: a score of 2^52 or more is slot and due
-- time. So ids and indexes are those of any queue.
--
-- groups: slot -> when it is to be looked at: a place in the line of those that have tasks due, or a time in us from LINE on, or
--         from FULL on if it has to wait for the end of a delivery, with the time in us when to look whether that was missed,
--         or PAUSED, or IDLE if no task waits, or infinite if the slot is free. All slots ever used are in it, so they are 0, 1, 2, ...;
--         slot 0 is of all tasks without a group
-- slots: '=group' -> slot, '#slot' -> group
-- running: id -> slot of what is in flight, if groups have a limit; if they are ordered, half more, and three quarters more of what has
--          failed and is to be tried again before any other task of its group
-- rates: group -> time in us since which its permits have come in, if groups have a rate; of any other all that are saved up are left
--
-- A number has 53 bits: 10 of a slot and 42 of a due time fit, and the others of a slot into the exponent.

local GROUPED, SLOTS, DUES = 2 ^ 52, 1024, 2 ^ 42 -- a due time of the year 2109 or later is without a group
local MOST_SLOTS = 970 * SLOTS
local LINE, FULL, PAUSED, IDLE = 2 ^ 49, 2 ^ 60, 2 ^ 60 + 2 ^ 59, 2 ^ 61 -- all due times are after 1987, in us
local groups, slots, running, rates = unpack(KEYS, #KEYS - 3)
local IN_ORDER, AGAIN = 0.5, 0.75
local MOST_BYTES = 136 -- a name has 128 at most

-- the group of a task, nil for none
local function name_in(envelope)
  local at = envelope and envelope:find(',"q":"', -MOST_BYTES, true)
  return at and envelope:match(',"q":"([^"]+)"}$', at)
end

local function is_slot(text) return #text < 7 and not text:find('%D') end

local function int_text(number) return string.format('%.0f', number) end

local function score_in(slot, due)
  return string.format(slot < 10 * SLOTS and '%.0f' or '%.17g', (GROUPED + slot % SLOTS * DUES + due) * 2 ^ math.floor(slot / SLOTS))
end

-- the slot and due time of a score, and without a group no slot
local function place_of(score)
  if score < GROUPED then return nil, score end
  local fraction, exponent = math.frexp(score)
  local place = fraction * 2 ^ 53 - GROUPED
  return (exponent - 53) * SLOTS + math.floor(place / DUES), place % DUES
end

-- when the first group is to be looked at, in ms; infinite for never
local function first_turn()
  local at = tonumber(redis.call('ZRANGE', groups, 0, 0, 'WITHSCORES')[2]) or math.huge
  return at < FULL and math.floor(at / 1000) or math.huge
end

-- slots of groups that have no task any more are free
local function free_slots(these)
  if #these == 0 then return end
  local fields, entries = {}, {}
  for i, each in ipairs(these) do
    fields[i], entries[2 * i - 1], entries[2 * i] = '#' .. each, '+inf', each
  end
  for _, name in ipairs(redis.call('HMGET', slots, unpack(fields))) do
    if name then fields[#fields + 1] = '=' .. name end
  end
  redis.call('HDEL', slots, unpack(fields))
  redis.call('ZADD', groups, unpack(entries))
end
