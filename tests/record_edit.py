"""Edits of a recording, and a second pass over it.

record_edit.py RUNNEL CLIP: the clip has 25 frames. Prints what is wrong."""
import os  # SPDX-License-Identifier: MIT
import subprocess
import sys
import time

import ipc

RUNNEL, CLIP = sys.argv[1:]
CHAIN = "blur=1,levels"
TAPE = f"""{{"chain":"{CHAIN}"}}
{{"frame":5,"stage":0,"param":"sigma","value":"2"}}
{{"frame":10,"stage":0,"param":"sigma","value":"3"}}
{{"frame":15,"stage":1,"param":"gamma","value":"1.5"}}
{{"frame":20,"chain":"invert"}}
"""


def start(*options):
    if os.path.exists("sock"):
        os.unlink("sock")
    child = subprocess.Popen([RUNNEL, "play", CLIP, "-q", "-y", "--md5", "--ipc", "sock", "--replay", "tape", *options],
                             stdout=open("shown", "w"), env=dict(os.environ, SDL_VIDEODRIVER="dummy"))
    while not os.path.exists("sock"):
        assert child.poll() is None
        time.sleep(0.01)
    return child, ipc.Player("sock")


def hashes(text):
    return {tuple(line.split()[:2]): line.split()[2] for line in text.splitlines()}


def made(name):
    done = subprocess.run([RUNNEL, "render", CLIP, "md5:", "-q", "--replay", name], stdout=subprocess.PIPE, check=True)
    return hashes(done.stdout.decode())


def want(sigma, gamma):
    """What render makes of values of each frame: pairs of a frame and the value from there on."""
    value = lambda pairs, n: [v for frame, v in pairs if frame <= n][-1]
    with open("want", "w") as f:
        print(f'{{"chain":"{CHAIN}"}}', file=f)
        for n in range(20):
            chain = f"blur={value([(0, 1), *sigma], n)},levels=gamma={value([(0, 1), *gamma], n)}"
            print(f'{{"frame":{n},"to":{n},"chain":"{chain}"}}', file=f)
        print('{"frame":20,"chain":"invert"}', file=f)
    return made("want")


def check(what, got, wanted):
    if got != wanted:
        print(f"{what}: other frames: {sorted({int(k[0]) for k in wanted if got.get(k) != wanted[k]})}")


open("tape", "w").write(TAPE)
late = [(15, 1.5)]
steps = (
    ("removed", 12, ("change-remove",), [(5, 2)], late),
    ("moved later", 6, ("change-move", 2), [(7, 2)], late),
    ("moved as far as the next one", 8, ("change-move", 100), [(13, 2)], late),
    ("moved earlier", 13, ("change-move", -7), [(6, 2)], late),
    ("a ramp", 8, ("ramp", 1), [(6, 2)], [(6 + i, 1 + i / 18) for i in range(10)]),
    ("the ramp removed", 10, ("change-remove",), [], []),
)
child, play = start("--record", "edited")
play("set_property", "pause", True)
for what, frame, command, *wanted in steps:
    play("seek", f"{frame}f", "absolute")
    play(*command)
    check(what, made("edited"), want(*wanted))
for what, frame, command, *wanted in steps[-2::-1]:
    play("undo")
    check(f"undone to: {what}", made("edited"), want(*wanted))
play("undo")
check("all undone", made("edited"), made("tape"))
play("redo")
check("redone", made("edited"), want(*steps[0][3:]))
play("undo")
for frame, by, there in (7, 1, 10), (12, -1, 10), (10, -1, 5), (4, -1, 0), (16, 1, 20):
    play("seek", f"{frame}f", "absolute")
    play("change", by)
    if play("get_property", "frame") != there:
        print(f"the change is not found from {frame}")
play("quit")
child.wait(60)

child, play = start("--untimed")
play("observe_property", 1, "eof-reached")
play.event(event="property-change", data=True)
play("quit")
child.wait(60)
check("what is shown", hashes(open("shown").read()), made("tape"))

child, play = start("--record", "second")
play("set_property", "pause", True)
play("seek", "8f", "absolute")
play("set_property", "levels.gamma", 2)
for _ in range(9):
    play("frame-step", 1)
play("quit")
child.wait(60)
check("one value of a second pass", made("second"), want([(5, 2), (10, 3)], [(8, 2), (18, 1.5)]))
