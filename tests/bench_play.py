#!/usr/bin/env python3
"""How fast the preview answers, in milliseconds: bench_play.py RUNNEL CLIP [CHAIN PARAM], in SDL's dummy window."""
import os, subprocess, sys, tempfile, time  # noqa: E401
from ipc import Player  # SPDX-License-Identifier: MIT
runnel, clip = sys.argv[1:3]
chain, param = sys.argv[3:5] if len(sys.argv) > 4 else ("median,blur,closing,sharpen,levels", "levels.black")
with tempfile.TemporaryDirectory() as home:
    env = dict(os.environ, SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", XDG_STATE_HOME=home)
    for settings in chain, "":
        options = ["--ipc", home + "/s", "-q", "--loop", "-f", settings]
        process = subprocess.Popen([runnel, "play", clip, *options], env=env)
        while not os.path.exists(home + "/s"):
            time.sleep(0.005)
        player = Player(home + "/s")
        player("observe_property", 1, "response")
        for state in ("paused", "playing") if settings else ():
            player("set_property", "pause", state == "paused")
            for held in 1, 30:
                for i in range(20 if held == 1 else 4):
                    for k in range(held - 1):
                        player("set_property", param, k + 1, **{"async": True})
                        time.sleep(0.033)
                    since = time.monotonic()
                    player("set_property", param, 40 + i)
                    print(state, held, "keys: settled %.0f," % (1e3 * (time.monotonic() - since)), "pictures after",
                          *("%.0f" % e["data"] for e in player.events if e.get("name") == "response"))
                    player.events.clear()
                    time.sleep(0.31 + 0.017 * (i % 7))
        time.sleep(4 if not settings else 0)
        print(settings or "no filter", "fps %.1f" % player("get_property", "fps"))
        player("quit")
        process.wait()
