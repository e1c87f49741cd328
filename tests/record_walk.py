"""Sessions of the preview whose parameters change fast, and whether the recording tells what was shown.

record_walk.py RUNNEL CLIP SESSIONS SEED BURSTS: prints a line for each session in which a picture that render makes of
the recording is another than the last one that was shown of its frame."""
import os  # SPDX-License-Identifier: MIT
import random
import subprocess
import sys
import time

import ipc

CHAINS = ("erosion,blur,levels", "blur,closing=slices=1:shape=disk,levels", "median,dilation=slices=2", "levels")
VALUES = {"blur.sigma": (0.6, 4.5), "erosion.radius": (1, 6), "levels.gamma": (0.5, 2.0), "closing.radius": (1, 3),
          "dilation.radius": (1, 3), "median.radius": (1, 3), "sharpen.enable": (0, 1)}
ADDED = ("invert", "blur=2", "erosion=slices=1", "gray,format=yuv420p", "sharpen")
EDITS = (("add", "FILTER"), ("remove", "1"), ("move", 1), ("move", -1), ("duplicate", "1"), ("action", "undo"),
         ("action", "redo"), ("stage-next", 1), ("store", 1), ("snapshot", 1), ("toggle-stage",), ("solo",),
         ("follow",), ("mark-begin",), ("mark-end",), ("mark-clear",), ("frame-step", 1), ("frame-back-step", 1), ("reset-all",))


RAMPS = """{"chain":"blur=1,closing=slices=1,levels"}
{"frame":2,"to":12,"stage":0,"param":"sigma","from":"1","value":"4","ease":"smooth"}
{"frame":12,"stage":2,"param":"gamma","value":"1.4"}
{"frame":16,"chain":"median,levels"}
{"frame":17,"to":22,"stage":1,"param":"gamma","from":"1","value":"2","ease":"linear"}
"""


def value(rng, name):
    low, high = VALUES[name]
    return rng.randint(low, high) if isinstance(low, int) else round(rng.uniform(low, high), 2)


def burst(rng, player):
    """Changes that do not wait for an answer, as keys that are held or a script in a loop give them."""
    name = rng.choice(list(VALUES))
    sent = []
    for _ in range(rng.randint(1, 6)):
        sent.append(player.send("set_property", name, value(rng, name)))
        if rng.random() < 0.6:
            time.sleep(rng.choice((0.002, 0.02)))
    if rng.random() < 0.4:
        sent.append(player.send("seek", f"{rng.randint(0, 24)}f", "absolute"))
    for _ in range(rng.choice((0, 0, 1, 3))):
        edit = [rng.choice(ADDED) if word == "FILTER" else word for word in rng.choice(EDITS)]
        sent.append(player.send(*edit))
    if rng.random() < 0.2:
        sent.append(player.send("set_property", "pause", rng.random() < 0.5))
    for n in sent:
        player.answer(n)
    time.sleep(rng.choice((0, 0.03, 0.1)))


def session(runnel, clip, rng, bursts):
    how = rng.choice([["-f", chain] for chain in CHAINS] + 2 * [["--replay", "ramps"]])
    with open("ramps", "w") as ramps:
        ramps.write(RAMPS)
    with open("shown", "w") as shown, open("said", "w") as said:
        child = subprocess.Popen([runnel, "play", clip, *how, "--md5", "--record", "tape", "-y", "--ipc", "sock",
                                  "--loop"], stdout=shown, stderr=said, env=dict(os.environ, SDL_VIDEODRIVER="dummy"))
        while not os.path.exists("sock"):
            if child.poll() is not None:
                return "it ended: " + open("said").read()
            time.sleep(0.01)
        player = ipc.Player("sock")
        for _ in range(bursts):
            burst(rng, player)
        player.send("quit")
        if child.wait(60):
            return f"status {child.returncode}"
    last, before = {}, 0  # the planes of each frame
    for line in open("shown"):
        frame, plane, md5 = line.split()
        for skipped in range(before + 1, int(frame)): # what came too late was tuned again, too
            last.pop(str(skipped), None)
        before = int(frame)
        if plane == "0":
            last[frame] = {} # earlier it may have had more planes
        last[frame][plane] = md5
    made = subprocess.run([runnel, "render", clip, "md5:", "-q", "--replay", "tape"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if made.returncode:
        return f"status {made.returncode}: {made.stderr.decode()}"
    want = {}
    for line in made.stdout.decode().splitlines():
        frame, plane, md5 = line.split()
        want.setdefault(frame, {})[plane] = md5
    other = sorted(int(frame) for frame in last if last[frame] != want.get(frame))
    return f"frames {other} of {len(last)} that were shown" if other else ""


runnel, clip, sessions, seed, bursts = sys.argv[1:]
for i in range(int(sessions)):
    wrong = session(runnel, clip, random.Random(int(seed) + i), int(bursts))
    if wrong:
        print(f"seed {int(seed) + i}: {wrong}", flush=True)
