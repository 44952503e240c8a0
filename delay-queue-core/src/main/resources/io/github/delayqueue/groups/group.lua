-- The group of a task stands in its envelope: a queue that has no groups must not lose it without a word.

if LAYOUT == '1' then return redis.error_reply('ERR the queue has no groups: set delay-queue.queues.<name>.groups.enabled') end
