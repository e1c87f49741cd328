#!/usr/bin/env python3
"""How fast the preview answers: bench_play.py RUNNEL CLIP [CHAIN PARAM], with SDL's dummy driver unless there is a
display. Milliseconds from a key to a picture with it, from the end of a held key to the picture at full
quality, and from the start to the first picture; frames shown in a second with an empty chain."""
import os
import subprocess
import sys
import tempfile
import time

from ipc import Player

runnel, clip = sys.argv[1:3]
chain, parameter = sys.argv[3:5] if len(sys.argv) > 4 else ("median,blur,closing,sharpen,levels", "levels.black")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
if "DISPLAY" not in os.environ:
    os.environ["SDL_VIDEODRIVER"] = "dummy"


def start(home, *options, **more):
    sock = os.path.join(home, "sock")
    env = dict(os.environ, XDG_STATE_HOME=home, **more)
    process = subprocess.Popen([runnel, "play", clip, "--ipc", sock, "-q", *options], env=env)
    while not os.path.exists(sock):
        time.sleep(0.005)
    player = Player(sock)
    player.process = process
    return player


def stop(player):
    player("quit")
    player.process.wait()


def told(name, times):
    times.sort()
    if times:
        print("%-34s median %4.0f  p95 %4.0f  worst %4.0f ms  of %d" % (
            name, times[len(times) // 2], times[int(0.95 * (len(times) - 1) + 0.5)], times[-1], len(times)))


def timed(player, *command):
    since = time.monotonic()
    player(*command)
    return 1e3 * (time.monotonic() - since)


def seen(player):
    """What `response` told since: milliseconds to pictures, proxies too."""
    found = [e["data"] for e in player.events if e.get("name") == "response" and e["data"]]
    player.events.clear()
    return found


def keys(player, state):
    player("set_property", "pause", state == "paused")
    player.ask("observe_property", 1, "response")
    full, proxies, held, settled = [], [], [], []
    for i in range(20):
        time.sleep(0.31 + 0.017 * (i % 7))
        seen(player)
        full.append(timed(player, "set_property", parameter, i % 2 + 1))
        proxies += seen(player)[:1]
    for i in range(4):
        time.sleep(0.7)
        seen(player)
        for k in range(29):
            player("set_property", parameter, k + 1, **{"async": True})
            time.sleep(0.033)
        settled.append(timed(player, "set_property", parameter, 30 + i))
        held += seen(player)[:-1]
    for name, times in (("key to full quality", full), ("key to a picture", proxies),
                        ("held key to a picture", held), ("held key let go to full quality", settled)):
        told("%s, %s" % (name, state), times)


with tempfile.TemporaryDirectory() as home:
    first = time.monotonic()
    player = start(home, "-f", chain, "--loop", XDG_CACHE_HOME=home)
    player("get_property", "stats")
    print("cold start to the chain's picture    %.2f s" % (time.monotonic() - first))
    for state in "paused", "playing":
        keys(player, state)
    stop(player)
    player = start(home, "--loop")
    time.sleep(3)
    fps = []
    for i in range(5):
        time.sleep(1.01)
        fps.append(player("get_property", "fps"))
    print("empty chain: frames in a second      %s, dropped %d" % (
        " ".join("%.1f" % f for f in fps), player("get_property", "dropped")))
    stop(player)
