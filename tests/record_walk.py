"""Sessions of the preview whose parameters change fast, and whether the recording tells what was shown.

record_walk.py RUNNEL CLIP SESSIONS SEED: prints a line for each session in which a picture that render makes of
the recording is another than the last one that was shown of its frame."""
import os
import random
import subprocess
import sys
import time

import ipc

CHAIN = "erosion,blur,levels"
PARAMS = {"blur.sigma": (0.6, 4.5), "erosion.radius": (1, 6), "levels.gamma": (0.5, 2.0)}


def value(rng, name):
    low, high = PARAMS[name]
    return rng.randint(low, high) if isinstance(low, int) else round(rng.uniform(low, high), 2)


def burst(rng, player):
    """Changes that do not wait for an answer, as keys that are held or a script in a loop give them."""
    name = rng.choice(list(PARAMS))
    sent = []
    for _ in range(rng.randint(1, 6)):
        sent.append(player.send("set_property", name, value(rng, name)))
        if rng.random() < 0.6:
            time.sleep(rng.choice((0.002, 0.02)))
    if rng.random() < 0.4:
        sent.append(player.send("seek", f"{rng.randint(0, 45)}f", "absolute"))
    if rng.random() < 0.2:
        sent.append(player.send("set_property", rng.choice(("erosion.on", "levels.on")), rng.random() < 0.5))
    if rng.random() < 0.2:
        sent.append(player.send("set_property", "pause", rng.random() < 0.5))
    for n in sent:
        player.answer(n)
    time.sleep(rng.choice((0, 0.03, 0.1)))


def session(runnel, clip, rng):
    with open("shown", "w") as shown, open("said", "w") as said:
        child = subprocess.Popen([runnel, "play", clip, "-f", CHAIN, "--md5", "--record", "tape", "-y", "--ipc", "sock",
                                  "--loop"], stdout=shown, stderr=said, env=dict(os.environ, SDL_VIDEODRIVER="dummy"))
        while not os.path.exists("sock"):
            if child.poll() is not None:
                return "it ended: " + open("said").read()
            time.sleep(0.01)
        player = ipc.Player("sock")
        for _ in range(25):
            burst(rng, player)
        player.send("quit")
        if child.wait(60):
            return f"status {child.returncode}"
    last, before = {}, 0
    for line in open("shown"):
        frame, plane, md5 = line.split()
        for skipped in range(before + 1, int(frame)): # what came too late was tuned again, too
            for k in range(3):
                last.pop((str(skipped), str(k)), None)
        before = int(frame)
        last[frame, plane] = md5
    made = subprocess.run([runnel, "render", clip, "md5:", "-q", "--replay", "tape"], stdout=subprocess.PIPE, check=True)
    want = {tuple(line.split()[:2]): line.split()[2] for line in made.stdout.decode().splitlines()}
    other = sorted({int(key[0]) for key in last if last[key] != want[key]})
    return f"frames {other} of {len({key[0] for key in last})} that were shown" if other else ""


if __name__ == "__main__":
    runnel, clip, sessions, seed = sys.argv[1:]
    for i in range(int(sessions)):
        wrong = session(runnel, clip, random.Random(int(seed) + i))
        if wrong:
            print(f"seed {int(seed) + i}: {wrong}")
