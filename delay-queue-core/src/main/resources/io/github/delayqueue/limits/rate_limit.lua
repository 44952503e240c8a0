-- How many tasks all consumers together may claim in a time, and after what time one more.
--
-- Permits come in since a time, one in rate_us / rate; taking them moves it.
-- Needs the locals limit, limited, took, argument, meta and now_us of a claim.

local SAVED_US = 100000 -- permits of how long are saved up
local PAUSE_US, AWAY_US = 5000, 50000 -- rest of who took the last permit; of who found none and leaves it to the others

argument = argument + 1
local rate, rate_us = ARGV[argument]:match('^(%d+)/(%d+)$')
rate, rate_us = tonumber(rate), tonumber(rate_us)
local interval = math.ceil(rate_us / rate)
local since = tonumber(string.match(redis.call('HGET', meta, 'rate') or '', '^%d+$') or 0)
if since > now_us then
  since = now_us - interval -- the clock has been set back
else
  since = math.max(since, now_us - interval - SAVED_US)
end
local permits = math.floor((now_us - since) * rate / rate_us)
limit = math.min(limit, permits)

took[#took + 1] = function(taken)
  since = since + math.ceil(taken * rate_us / rate)
  redis.call('HSET', meta, 'rate', int(since))
end

limited[#limited + 1] = function(wake_us, taken)
  if permits > taken then return wake_us end
  return math.min(math.max(wake_us, since + interval - now_us, taken > 0 and PAUSE_US or AWAY_US), DAY_MS * 1000)
end
