#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Takes the pictures of the preview in README.md and runnel-play.1.md: make-pictures.py [FOLDER [RUNNEL]]

The preview runs on a display of its own (Xvfb), is driven through --ipc and the mouse (xdotool), and is
taken by ImageMagick, which keeps 256 colours. The places of the mouse are those of 1280 x 720."""
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time

MEDIA = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else MEDIA
RUNNEL = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else f"{MEDIA}/../build/runnel")


class Preview:
    """runnel play, paused at a frame."""

    def __init__(self, work, name, chain, frame):
        self.player = subprocess.Popen(
            [RUNNEL, "play", f"{MEDIA}/{name}", "-f", chain, "--ipc", "sock", "-q"], cwd=work)
        line = socket.socket(socket.AF_UNIX)
        while line.connect_ex(f"{work}/sock"):
            if self.player.poll() is not None:
                raise SystemExit("the preview has ended")
            time.sleep(0.1)
        self.lines = line.makefile("rw")
        self.ask("set_property", "pause", True)
        self.ask("seek", frame, "absolute")

    def ask(self, *command):
        print(json.dumps({"command": command}), file=self.lines, flush=True)
        answer = json.loads(self.lines.readline())
        if answer["error"] != "success":
            raise SystemExit(f"{command}: {answer['error']}")
        return answer["data"]

    def do(self, *names):
        for name in names:
            self.ask("action", *[int(word) if word.isdigit() else word for word in name.split()])

    def mouse(self, *words):
        subprocess.run(["xdotool", "mousemove", *map(str, words), "sleep", "0.5"], check=True)

    def take(self, name):
        self.mouse(1279, 0) # away
        time.sleep(5) # until what the window said has gone
        shot = ["import", "-window", "root", "png:-"]
        few = ["convert", "-", "+dither", "-colors", "256", f"{FOLDER}/{name}.png"]
        subprocess.run(few, input=subprocess.run(shot, stdout=subprocess.PIPE, check=True).stdout, check=True)
        self.do("quit")
        self.player.wait()


def split(work):
    """A wheel, half as it was and half filtered: specks go, a relief comes."""
    p = Preview(work, "clip.mp4", "median=radius=3,emboss,stats", "45f")
    p.do("panel", "split")
    p.mouse(0, 360) # what is there stays there
    p.do("zoom 1")
    p.take("play")


def compare(work):
    """Two snapshots, each pixel as four: which of them takes the specks away and leaves the rest?"""
    p = Preview(work, "clip.mp4", "median=radius=3", "100f")
    p.do("store 1")
    p.ask("set_property", "chain", "closing=shape=disk:radius=3")
    p.do("store 2")
    p.ask("states", "A", "B")
    p.mouse(587, 347) # the board and the rings
    p.do("zoom 2")
    p.take("compare")


def stack(work):
    """Three views of a scan, and the mask of its material over it: pores are closed, cavities are left."""
    p = Preview(work, "scan.tif", "threshold=7700,closing=shape=disk:radius=2:slices=2", "12f")
    p.do("fullscreen", "three", "mask", "panel")
    p.mouse(255, 281, "click", 1) # a cavity
    p.take("stack")


def main():
    with contextlib.ExitStack() as stays:
        work = stays.enter_context(tempfile.TemporaryDirectory())
        os.makedirs(f"{work}/runnel")
        with open(f"{work}/runnel/hints", "w") as f:
            f.write("3\n") # hints for whoever is new are over
        read, write = os.pipe()
        screen = ["-screen", "0", "1280x720x24", "-nolisten", "tcp", "-noreset"]
        server = stays.enter_context(subprocess.Popen(["Xvfb", "-displayfd", str(write), *screen], pass_fds=[write]))
        stays.callback(server.terminate)
        os.close(write)
        os.environ.update(DISPLAY=":" + os.read(read, 9).decode().strip(), XDG_STATE_HOME=work,
                          SDL_VIDEODRIVER="x11", SDL_AUDIODRIVER="dummy")
        for make in split, compare, stack:
            make(work)


main()
