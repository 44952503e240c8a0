#!/usr/bin/env python3
"""Schedules a task of a delay queue from Python, with redis-py (4.3 or later):

    schedule.py redis://localhost:6379 order_timeout order_124 1800000 '{"number":"order_124"}'

that is: Redis, queue, id, delay in milliseconds, payload as JSON. What it does is described in docs/internals/redis-layout.md.
In a cluster, take redis.cluster.RedisCluster in place of redis.Redis; nothing else changes.
"""
import hashlib
import json
import math
import re
import sys
import time
import zlib
from pathlib import Path

import redis

PREFIX = "delay:queue:"  # delay-queue.key-prefix
# The texts as they are published; in the jar they lie in io/github/delayqueue/store/redis
SCRIPTS = Path(__file__).parents[2] / "delay-queue-core/src/main/resources/io/github/delayqueue/store/redis"
PARTS = ("high", "low", "leases", "tasks", "deliveries", "errors", "dead", "completed", "meta")


def text_of(file):
    """A line such as "-- part: due.lua" stands for the text of that file."""
    return re.sub(rb"-- part: (\S+)\n", lambda line: text_of(line[1].decode()), (SCRIPTS / file).read_bytes())


class Script:
    def __init__(self, file):
        self.text = text_of(file)
        self.sha = hashlib.sha1(self.text).hexdigest()

    def run(self, client, base, args):
        keys = [base] + [f"{base}:{part}" for part in PARTS]
        try:
            return client.evalsha(self.sha, len(keys), *keys, *args)
        except redis.exceptions.NoScriptError:  # this server does not have it yet
            return client.eval(self.text, len(keys), *keys, *args)


SCHEDULE = Script("schedule.lua")


def base_of(queue, task_id, partitions):
    home = zlib.crc32(task_id.encode()) % partitions
    return f"{PREFIX}{{{queue}#{home}}}" if home else f"{PREFIX}{{{queue}}}"


def schedule(client, queue, task_id, payload, delay_ms, patience=10):
    """Store a task, in place of one of the same id; answers whether there was one."""
    delay = math.ceil(delay_ms)  # refuses what is no number
    envelope = json.dumps({"v": 1, "p": payload}, ensure_ascii=False, separators=(",", ":"))
    give_up_at = time.monotonic() + patience
    while True:
        known = (client.hget(f"{PREFIX}{{{queue}}}:meta", "partitions") or b"1").decode()
        base = base_of(queue, task_id, int(known.split(",")[0]))
        args = ["", f"{base}:wake", known, "normal", "replace", 1, f"+{delay}", task_id, envelope]
        try:
            replaced = SCHEDULE.run(client, base, args)[0] == 1
            break
        except redis.exceptions.ResponseError as error:
            if "PARTITIONS " not in str(error) or time.monotonic() > give_up_at:
                raise
            time.sleep(0.05)  # the partition is just being told their number
    client.sadd(f"{PREFIX}names", queue)  # for overviews
    return replaced


if __name__ == "__main__":
    url, queue, task_id, delay_ms, payload = sys.argv[1:]
    outcome = schedule(redis.Redis.from_url(url), queue, task_id, json.loads(payload), int(delay_ms))
    print("replaced" if outcome else "created")
