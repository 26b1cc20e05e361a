#!/usr/bin/env python3
"""The service beside a bare route of its framework and the engine in process: ratios of one run, medians.

usage: service.py BIN-DIRECTORY [--seconds N] [--rounds N] [--only get,submit,lines,live] [--peers]

Wants wrk (Debian's package). Prints the table for docs/benchmarks.md.
"""
import argparse
import http.client
import json
import os
import re
import shutil
import statistics
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Tests", "Service"))

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("bin")
parser.add_argument("--seconds", type=int, default=5)
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--peers", action="store_true", help="PostgreSQL and UmaDB beside, where they are installed")
parser.add_argument("--only", default="get,submit,lines,live")
options = parser.parse_args()
os.environ["SIJILL_BUILD"] = os.path.abspath(options.bin)
from harness import Server, replay  # noqa: E402

SERVED = os.path.join(os.path.abspath(options.bin), "served")


def wrk(url, connections, script=None):
    """Requests a second."""
    command = ["wrk", "-t", "1" if connections < 64 else "2", "-c", str(connections), "-d", f"{options.seconds}s"]
    if script:
        command += ["-s", os.path.join(HERE, script)]
    out = subprocess.run([*command, url], capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in out or "Socket errors" in out:
        sys.exit("not all were answered well:\n" + out)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1))


PEERS = []


def peers(body):
    """Other servers, begun once."""
    if not PEERS and options.peers:
        sys.path.insert(0, os.path.join(HERE, "peers"))
        import servers
        PEERS.extend(servers.available(body))
    return PEERS


def account(number):
    return {
        "id": f"r-{number}", "command": "examroom.account.register", "at": "2026-02-02T08:00:00Z", "by": "system",
        "data": {"account": f"S-{number}", "role": "student", "name": f"Student {number}",
                 "credential": {"scheme": "bcrypt", "salt": "s", "digest": "d"}}}


def told(name, theirs, ours, unit):
    ratio = statistics.median(b / a for a, b in zip(theirs, ours))
    print(f"| {name} | {statistics.median(theirs):,.0f} | {statistics.median(ours):,.0f} | {unit} | {ratio:.2f} |", flush=True)


def get(server):
    for number in range(200):
        server.submit(account(number))
    path = "/v1/models/examroom.account/S-7"
    body = server.get(path).body
    file = server.file("body.json", body.decode())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    bare = subprocess.Popen([SERVED, "bare", file, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(1)
        theirs, ours, others = [], [], {peer: [] for peer in peers(body.decode())}
        for _ in range(options.rounds):
            theirs.append(wrk(f"http://127.0.0.1:{port}/", 32))
            ours.append(wrk(f"http://{server.address}{path}", 32))
            for peer, rates in others.items():
                rates.append(peer.read(32, options.seconds))
        told(f"GET of a document that is kept ({len(body)} bytes) / a bare route", theirs, ours, "requests/s")
        for peer, rates in others.items():
            told(f"the same / {peer.name}, read by its key, 32 clients", rates, ours, "requests/s")
    finally:
        bare.kill()


def submit(server):
    theirs, ours, others = [], [], {peer: [] for peer in peers(json.dumps(account(1)["data"]))}
    for number in range(options.rounds):
        journal = f"{server.directory}/in-process-{number}"
        replay("init", "--journal", journal, "--simulated")
        out = subprocess.run(
            [SERVED, "submit", journal, "64", str(options.seconds)], capture_output=True, text=True, check=True)
        theirs.append(float(out.stdout))
        with Server() as fresh:
            ours.append(wrk(f"http://{fresh.address}/v1/commands", 64, "submit.lua"))
        for peer, rates in others.items():
            rates.append(peer.append(64, options.seconds))
    told("submit, 64 at a time / the engine in process", theirs, ours, "commands/s")
    for peer, rates in others.items():
        told(f"the same, decided by rules / {peer.name}, an append each, 64 clients", rates, ours, "commands/s")


def lines(server):
    theirs, ours = [], []
    commands = [account(f"{number:06}") for number in range(40_000)]
    text = "".join(json.dumps(command) + "\n" for command in commands).encode()
    for number in range(options.rounds):
        journal = f"{server.directory}/lines-{number}"
        replay("init", "--journal", journal, "--simulated")
        start = time.monotonic()
        replay("submit", "--journal", journal, "--json", stdin=text)
        theirs.append(len(commands) / (time.monotonic() - start))
        with Server() as fresh:
            start = time.monotonic()
            connection = http.client.HTTPConnection(fresh.host, fresh.port, timeout=300)
            answers = []
            connection.putrequest("POST", "/v1/commands")
            connection.putheader("Content-Type", "application/x-ndjson")
            connection.putheader("Content-Length", str(len(text)))
            connection.endheaders()
            # Answers come while lines are still being sent.
            sender = threading.Thread(target=connection.sock.sendall, args=(text,))
            sender.start()
            response = connection.getresponse()
            while block := response.read(1 << 16):
                answers.append(block.count(b"\n"))
            sender.join()
            if sum(answers) != len(commands):
                sys.exit(f"{sum(answers)} answers to {len(commands)} commands")
            ours.append(len(commands) / (time.monotonic() - start))
    told("submit, a command a line / replay submit", theirs, ours, "commands/s")


def live(server):
    """From the answer to a commit to the subscribers' sockets, 100 events a second, 1,000 subscribers."""
    count, rate, seconds = 1_000, 100, 10
    program = os.path.join(server.directory, "listeners")
    subprocess.run(["cc", "-O2", "-o", program, os.path.join(HERE, "listeners.c")], check=True)
    listeners = subprocess.Popen(
        [program, str(server.port), str(count)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    lines, sent = [], {}
    reader = threading.Thread(target=lambda: lines.extend(listeners.stdout))
    if listeners.stdout.readline() != "ready\n":
        sys.exit("the listeners could not begin")
    reader.start()
    time.sleep(2)
    before = server.memory()
    connection = http.client.HTTPConnection(server.host, server.port)
    start = time.monotonic()
    for number in range(rate * seconds):
        time.sleep(max(0, start + number / rate - time.monotonic()))
        connection.request(
            "POST", "/v1/commands", json.dumps(account(f"live-{number}")), {"Content-Type": "application/json"})
        connection.getresponse().read()
        # From the answer on it is durable: what is measured is the way behind it.
        sent[number] = time.monotonic()
    time.sleep(2)
    memory = server.memory()
    listeners.stdin.close()
    reader.join()
    counts = [int(number) for number in lines.pop().split()[1:]]
    latencies = sorted(
        max(0.0, float(came) - sent[int(number)]) for number, came in (line.split() for line in lines))
    missing = sum(rate * seconds - number for number in counts)
    print(f"| {count:,} live listeners, {rate} events/s: commit to listener, p50 / p99 | "
          f"{latencies[len(latencies) // 2] * 1e3:.1f} ms | {latencies[int(len(latencies) * 0.99)] * 1e3:.1f} ms | "
          f"{memory / 1e6:.0f} MB resident ({before / 1e6:.0f} before) | {missing} missing |", flush=True)


if not shutil.which("wrk"):
    sys.exit("service.py: wrk is not there; install it: apt-get install wrk")
print("| what | beside | the service | unit | ratio |\n| --- | --- | --- | --- | --- |")
for name, run in (("get", get), ("submit", submit), ("lines", lines), ("live", live)):
    if name in options.only.split(","):
        with Server(settings={"limits.batchBytes": 1 << 30}) as server:
            run(server)
for peer in PEERS:
    peer.close()
