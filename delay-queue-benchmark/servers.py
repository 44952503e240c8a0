#!/usr/bin/env python3
"""What a task costs a server, by its version, in bytes and in microseconds of the script that stores it:

    .ci/servers target/servers
    delay-queue-benchmark/servers.py target/servers/redis-* target/servers/valkey-*

20,000 tasks with ids of 36 characters and 128 bytes of payload, one a call, 500 calls a pipeline, without a consumer. The servers take turns
for five rounds; what other work takes from them makes times longer, so the shortest counts. Needs redis-py.
"""
import importlib.util
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import redis

TASKS, BATCH, ROUNDS = 20_000, 500, 5
PRODUCER = Path(__file__).parents[1] / "examples/python/schedule.py"
spec = importlib.util.spec_from_file_location("schedule", PRODUCER)
producer = importlib.util.module_from_spec(spec)
spec.loader.exec_module(producer)

BASE = "delay:queue:{q}"
KEYS = [BASE] + [f"{BASE}:{part}" for part in producer.PARTS]
ENVELOPE = json.dumps({"v": 1, "p": {"text": "x" * 117}}, separators=(",", ":"))


def arguments(task_id):
    return [len(KEYS), *KEYS, "", f"{BASE}:wake", "1", "normal", "replace", 1, "+3600000", task_id, ENVELOPE]


def measure(client):
    client.eval(producer.SCHEDULE.text, *arguments("first"))
    before = client.info("memory")["used_memory"]
    client.config_resetstat()
    for start in range(0, TASKS, BATCH):
        pipeline = client.pipeline(transaction=False)
        for i in range(start, start + BATCH):
            pipeline.evalsha(producer.SCHEDULE.sha, *arguments(f"task-{i:031d}"))
        pipeline.execute()
    calls = client.info("commandstats")["cmdstat_evalsha"]
    return (client.info("memory")["used_memory"] - before) / TASKS, calls["usec"] / calls["calls"]


def answers(client):
    try:
        return client.ping()
    except redis.exceptions.ConnectionError:
        return False


def run(executable, folder):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [executable, "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=folder)
    try:
        client = redis.Redis(port=port)
        while not answers(client):
            time.sleep(0.05)
        return measure(client)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    executables = [os.path.abspath(executable) for executable in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        rounds = [[run(executable, folder) for executable in executables] for _ in range(ROUNDS)]
    for executable, results in zip(executables, zip(*rounds)):
        size, micros = map(min, zip(*results))
        print(f"| {os.path.basename(executable)} | {size:.0f} | {micros:.0f} |")
