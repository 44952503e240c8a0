-- Lets the leases of an instance run out that is gone, a page of leases at a time. Claims take the tasks like any whose lease has
-- run out; until then whoever holds them may settle.
--
-- KEYS: the leases, the deliveries and the meta of one queue
-- ARGV: now in us or '' for the server's clock, wake channel, name of the instance, where to go on: '', or as the call before says
-- Returns { where to go on, '' for nowhere, how many leases have been ended }; last of all, if consumers could not be woken, why
--
-- The first write is ZREM or HDEL: they work on a server without memory.

local leases, deliveries, meta = KEYS[1], KEYS[2], KEYS[3]
local wake_channel, name, from = ARGV[2], ARGV[3], ARGV[4]
local PAGE = 1000

-- part: time.lua
now = string.format('%.0f', now)

-- part: values.lua

local holders = redis.call('HGET', meta, 'holders')
local others = holders and holders:gsub(name .. '[~?]', '')
-- another instance was faster
if others == holders or not holders then return { '', 0 } end

-- a deadline, how many leases that have it were passed over, and how many have it. Some of the former may have gone since then
local deadline, passed, had = from:match('^(%S+) (%d+) (%d+)$')
if deadline then passed = math.max(0, passed - math.max(0, had - redis.call('ZCOUNT', leases, deadline, deadline))) end
local page = redis.call('ZRANGE', leases, deadline or '(' .. now, '+inf', 'BYSCORE', 'LIMIT', passed or 0, PAGE, 'WITHSCORES')
local ids, ended, entries, last = {}, {}, {}, page[#page]
local staying = last == deadline and passed or 0
for i = 1, #page, 2 do ids[#ids + 1] = page[i] end
for i, record in ipairs(#ids > 0 and values_of(deliveries, MAX_RECORD, ids, 1, #ids) or {}) do
  if record and record:match('^%d+:%d+:[hnl]:%d+:(%w+)[~?]') == name then
    ended[#ended + 1] = ids[i]
    entries[#entries + 1], entries[#entries + 2] = now, ids[i]
  elseif page[2 * i] == last then
    staying = staying + 1
  end
end

if #ended > 0 then
  redis.call('ZREM', leases, unpack(ended))
  redis.call('ZADD', leases, unpack(entries))
end
local next = ''
if #ids == PAGE then
  next = last .. ' ' .. staying .. ' ' .. redis.call('ZCOUNT', leases, last, last)
else
  redis.call('HDEL', meta, 'holders')
  if others ~= '' then redis.call('HSET', meta, 'holders', others) end
end
local published = #ended > 0 and redis.pcall('PUBLISH', wake_channel, '0')
return { next, #ended, type(published) == 'table' and published.err or nil }
