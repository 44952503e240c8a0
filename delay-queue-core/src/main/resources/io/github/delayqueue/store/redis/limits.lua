-- What the limits of all consumers together leave for a claim, and after what time they leave more.
--
-- Permits come in since a time, one in rate_us / rate; taking them moves it.
-- Needs the locals most_in_flight, rate, rate_us, paused, leases, meta, state, now and now_us of a claim.

local SAVED_US = 100000 -- permits of how long are saved up
local PAUSE_US, AWAY_US = 5000, 50000 -- rest of who took the last permit; of who found none and leaves it to the others

-- what permits of a rate that have come in since a time are worth now: since when, and how many
local function bucket(since, rate, rate_us)
  local interval = math.ceil(rate_us / rate)
  -- one that is ahead means that the clock has been set back
  since = since > now_us and now_us - interval or math.max(since, now_us - interval - SAVED_US)
  return since, math.floor((now_us - since) * rate / rate_us)
end

local free, permits, since = math.huge, math.huge, nil
if most_in_flight and not paused then
  free = most_in_flight - redis.call('ZCOUNT', leases, '(' .. int(now), '+inf')
end
if rate then since, permits = bucket(tonumber(string.match(state[6] or '', '^%d+$') or 0), rate, rate_us) end

local function take_permits(taken)
  since = since + math.ceil(taken * rate_us / rate)
  redis.call('HSET', meta, 'rate', int(since))
end

-- after what time the limits allow what could be claimed after another
local function limited(wake_us, taken)
  if wake_us == 0 and free <= taken then
    -- pcall: who settles next is to wake the consumers; if it cannot be noted, they poll
    if not state[7] then redis.pcall('HSET', meta, 'full', '1') end
    local held = redis.call('ZRANGE', leases, '(' .. int(now), '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
    wake_us = math.max(0, math.min(tonumber(held[2] or 0), now + DAY_MS) * 1000 - now_us)
  end
  if permits <= taken then
    wake_us = math.max(wake_us, since + math.ceil(rate_us / rate) - now_us, taken > 0 and PAUSE_US or AWAY_US)
  end
  return math.min(wake_us, DAY_MS * 1000)
end
