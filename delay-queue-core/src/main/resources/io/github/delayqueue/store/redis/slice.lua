-- how many envelopes to read at once behind those that are done: of large ones, which a few show, not many more than are answered
local function slice_size(ids, done, all, bytes, answered, most_bytes)
  local size = math.min(math.max(16, 4 * done), all - done)
  local looks, length = 0, 0
  for i = done + 1, done + size, math.max(2, math.ceil(size / 5)) do
    looks, length = looks + 1, length + redis.call('HSTRLEN', tasks, ids[i])
  end
  local average = math.max(length / looks, bytes / math.max(answered, 1))
  return average * size <= most_bytes - bytes and size or math.max(1, math.floor((most_bytes - bytes) / average))
end
