-- Replaces a value, if it is still what it was when the caller read it.
--
-- KEYS[1]  the key
-- ARGV[1]  the value that was read
-- ARGV[2]  the value to set
--
-- Answers whether it was replaced (1 or 0).
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
