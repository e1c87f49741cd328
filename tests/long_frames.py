"""The memory of `render` on video: `long_frames.py RUNNEL [FRAMES]` works in the current folder. It has to stay the
same over 100,000 frames, and at 720p below 250 MB above what ffmpeg takes to decode and encode the same.

An index that a container needs grows with the frames: what ffmpeg grows by on the same way is allowed to both."""
import os  # SPDX-License-Identifier: MIT
import re
import subprocess
import sys
import time

RUNNEL, FRAMES = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100000
MOST = 250    # MB above ffmpeg, at 720p
GROWTH = 8    # MiB, beyond ffmpeg's, of the last tenth against the second one
CODEC = ("--codec", "libx264", "--codec-opts", "preset=ultrafast")
CHAINS = (("three stages", "convolution=preset=sharpen:planes=7,closing=radius=1:planes=7,stats"),
          ("across frames", "closing=shape=disk:radius=2:slices=2:planes=7,median=planes=7"))
bad = 0


def make(name, size, frames):
    """A clip whose 250 frames are there over and over."""
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25",
                    "-frames:v", "250", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "40", "-pix_fmt",
                    "yuv420p", "short.mkv"], check=True)
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-stream_loop", str(max(frames // 250 - 1, 0)), "-i",
                    "short.mkv", "-c", "copy", name], check=True)


def status(pid, field):
    """Of the process, in MiB; 0 where it has ended."""
    try:
        with open(f"/proc/{pid}/status") as f:
            lines = [line for line in f if line.startswith(field)]
        return int(lines[0].split()[1]) / 1024 if lines else 0
    except (OSError, IndexError):
        return 0


def frames_done(path):
    """By the progress of runnel, or of ffmpeg."""
    try:
        with open(path) as f:
            found = re.findall(r'(?:"frames": *|^frame=)(\d+)', f.read(), re.M)
        return int(found[-1]) if found else 0
    except OSError:
        return 0


def run(words, total=0, progress=None):
    """Its most memory, and what it took in the second tenth of the frames and in the last, MiB."""
    child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    early, late, most = [], [], 0
    while child.poll() is None:
        rss, done = status(child.pid, "VmRSS:"), frames_done(progress) if progress else 0
        most = max(most, status(child.pid, "VmHWM:"))
        if rss and 0.1 * total <= done < 0.2 * total:
            early.append(rss)
        elif rss and done >= 0.9 * total > 0:
            late.append(rss)
        time.sleep(0.05)
    if child.returncode:
        sys.exit(f"{' '.join(words)}: {child.stderr.read().decode()[-400:]}")
    if total and not (early and late):
        sys.exit(f"{' '.join(words)}: too fast to be looked at, {len(early)} and {len(late)} samples")
    return most, sum(early) / len(early) if total else 0, sum(late) / len(late) if total else 0


def tell(what, text, wrong):
    global bad
    bad += wrong
    print(f"{what}: {text}{' NOT OK' if wrong else ''}", flush=True)


def ours(chain, source, output, *options):
    return [RUNNEL, "render", source, output, "-y", "-q", "-f", chain, *options]


def theirs(source, output, *options):
    return ["ffmpeg", "-v", "error", "-y", "-i", source, *options, "-c:v", "libx264", "-preset", "ultrafast", output]


def stays_flat():
    make("long.mkv", "96x64", FRAMES)
    _, early, late = run(theirs("long.mkv", "out.mkv", "-progress", "theirs"), FRAMES, "theirs")
    own = max(late - early, 0)
    print(f"ffmpeg, {FRAMES} frames: {early:.0f} MiB, at the end {late:.0f}", flush=True)
    for name, chain in CHAINS:
        for output, options in (("out.mkv", CODEC), ("null:", ("--inflight", "16"))):
            for more in (), ("--batch", "8"):
                if os.path.exists("ours"):
                    os.remove("ours")
                words = ours(chain, "long.mkv", output, *options, *more, "--progress", "ours")
                most, early, late = run(words, FRAMES, "ours")
                tell(" ".join([name, "to", output, *more]),
                     f"{early:.0f} MiB, at the end {late:.0f}, at most {most:.0f}", late - early > own + GROWTH)


def is_small():
    make("720p.mkv", "1280x720", 500)
    base, _, _ = run(theirs("720p.mkv", "out.mkv"))
    print(f"ffmpeg, 720p: {base:.0f} MiB", flush=True)
    for name, chain in CHAINS:
        run(ours(chain, "720p.mkv", "null:", "--frames", "8"))  # compiles, which takes memory once
        most, _, _ = run(ours(chain, "720p.mkv", "out.mkv", *CODEC))
        above = (most - base) * 1.048576
        tell(f"720p, {name}", f"{most:.0f} MiB, {above:.0f} MB above ffmpeg", above >= MOST)


is_small()
stays_flat()
sys.exit(bad != 0)
