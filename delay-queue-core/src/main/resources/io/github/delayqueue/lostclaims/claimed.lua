-- Looks for tasks in flight that were claimed with one of some tokens: the answers to these claims were lost.
--
-- KEYS: the leases and the deliveries of one queue
-- ARGV: the tokens
-- Returns for each task found: id, token. At most 500 tasks, of the 5,000 leases that last longest

local leases, deliveries = KEYS[1], KEYS[2]
local MAX_LEASES, PAGE, MAX_FOUND = 5000, 1000, 500

-- part: values.lua

local wanted, found = {}, {}
for _, token in ipairs(ARGV) do wanted[token] = true end
local ids = redis.call('ZRANGE', leases, 0, MAX_LEASES - 1, 'REV')
for first = 1, #ids, PAGE do
  for i, record in ipairs(values_of(deliveries, MAX_RECORD, ids, first, math.min(first + PAGE - 1, #ids))) do
    local token = record and record:match('^%d+:%d+:[hnl]:%d+:(.+)$')
    if token and wanted[token] and #found < 2 * MAX_FOUND then
      found[#found + 1], found[#found + 2] = ids[first + i - 1], token
    end
  end
end
return found
