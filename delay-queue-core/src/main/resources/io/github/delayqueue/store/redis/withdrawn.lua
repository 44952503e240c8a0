-- Tells those who hold tasks that some were taken from them. Versions that do not know the message take it for an event in ages,
-- and do nothing.
--
-- Needs the local wake_channel.

local function tell_holders() return redis.pcall('PUBLISH', wake_channel, '1000000000000000000') end
