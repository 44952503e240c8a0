-- Puts the running tally aside under a name, once: a second call answers the same.
--
-- KEYS[1]  the running tally
-- KEYS[2]  the closed one
--
-- Answers the closed tally (name, count, name, count, ...).
if redis.call('EXISTS', KEYS[2]) == 0 and redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('RENAME', KEYS[1], KEYS[2])
end
return redis.call('HGETALL', KEYS[2])
