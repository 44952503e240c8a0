-- now, by the server's clock if the first argument is ''
if redis.replicate_commands then redis.replicate_commands() end
local time = ARGV[1] == '' and redis.call('TIME')
local now_us = time and time[1] * 1000000 + time[2] or tonumber(ARGV[1])
local now = math.floor(now_us / 1000)
