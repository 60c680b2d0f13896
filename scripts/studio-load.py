#!/usr/bin/env python3
"""Players who ask the studio for puzzles, and how long they wait.

    target/release/genvp serve --bind 127.0.0.1:8080 &
    python3 scripts/studio-load.py http://127.0.0.1:8080/ --pid $! --minutes 10

Every player keeps one connection and asks for a new puzzle of some family at fixed times, whether
or not the last answer has come (a late answer delays the next question of that player). Prints the
waiting times, errors, and the memory of the studio over time. Needs Python 3.9, nothing else.
"""

import argparse
import http.client
import json
import threading
import time
from urllib.parse import urlparse

KINDS = [
    ("iraven", "c-s"), ("iraven", "2x2"), ("iraven", "3x3"), ("iraven", "l-r"), ("raven", "u-d"),
    ("raven-fair", "o-ic"), ("iraven", "o-ig"), ("pgm", "neutral"), ("vad", "interpolation"),
]


def play(player, host, until, pause, waits, errors):
    connection = http.client.HTTPConnection(host, timeout=30)
    asked = 0
    start = time.monotonic() + player * pause / 50
    while (now := time.monotonic()) < until:
        due = start + asked * pause
        if due > now:
            time.sleep(due - now)
        kind = KINDS[(player + asked) % len(KINDS)]
        puzzle = {"set": kind[0], "kind": kind[1], "seed": player, "index": asked}
        asked += 1
        begun = time.monotonic()
        try:
            connection.request("POST", "/api/make", json.dumps({"puzzle": puzzle}), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200 or b'"target"' not in body:
                errors.append(f"{answer.status}: {body[:200]!r}")
        except OSError as error:
            errors.append(repr(error))
            connection.close()
        waits.append(time.monotonic() - begun)


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return float("nan")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("address")
    arguments.add_argument("--players", type=int, default=50)
    arguments.add_argument("--each-second", type=float, default=2, help="puzzles a second of each player")
    arguments.add_argument("--minutes", type=float, default=10)
    arguments.add_argument("--pid", type=int, help="the studio's process, for its memory")
    asked = arguments.parse_args()
    host = urlparse(asked.address).netloc
    until = time.monotonic() + 60 * asked.minutes
    waits, errors, sizes = [], [], []
    players = [
        threading.Thread(target=play, args=(number, host, until, 1 / asked.each_second, waits, errors), daemon=True)
        for number in range(asked.players)
    ]
    for player in players:
        player.start()
    while time.monotonic() < until:
        time.sleep(min(15, max(0.1, until - time.monotonic())))
        if asked.pid:
            sizes.append(memory(asked.pid))
    for player in players:
        player.join()
    waits.sort()
    share = lambda p: 1000 * waits[min(len(waits) - 1, int(p * len(waits)))]
    print(f"{len(waits)} puzzles, {len(waits) / (60 * asked.minutes):.1f} a second, {len(errors)} errors")
    print(f"waited ms: median {share(0.5):.1f}, p90 {share(0.9):.1f}, p99 {share(0.99):.1f}, longest {1000 * waits[-1]:.1f}")
    if sizes:
        third = max(1, len(sizes) // 3)
        mean = lambda some: sum(some) / len(some)
        print(f"memory MB: first third {mean(sizes[:third]):.1f}, last third {mean(sizes[-third:]):.1f}, most {max(sizes):.1f}")
    for error in errors[:5]:
        print("error:", error)
    raise SystemExit(1 if errors else 0)


main()
