#!/usr/bin/env python3
"""Feeds damaged files to the program: N of them (environment, 200; the whole set is 2000), FIRST on (0).

Each is one of small files of 11 kinds, in which blocks were deleted, copied or zeroed, bits were flipped,
lengths changed, or whose end is missing: the same for a number on every run. Expected is that the program
ends in time, with a status that is one for inputs, without a report of a sanitizer where it was built with
one, and, if it says that all is well, with as many frames as FFmpeg finds.

With KEEP=FOLDER what fails is kept there. long_mutants.py NUMBER... tries these alone and tells more."""
import concurrent.futures  # SPDX-License-Identifier: MIT
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
import dicom
import tiff

RUNNEL = os.path.abspath(os.environ.get("RUNNEL") or here + "/../build/runnel")
COUNT, FIRST = int(os.environ.get("N", 200)), int(os.environ.get("FIRST", 0))
KEEP = os.environ.get("KEEP")
PATIENCE = 20  # seconds, for what takes a fraction of one

# ---- whole files

VIDEO = [
    ("avc.mp4", "-c:v libx264 -bf 2 -g 4 -c:a aac"), ("asp.mp4", "-c:v mpeg4 -bf 1 -c:a aac -movflags faststart"),
    ("frag.mp4", "-c:v libx264 -c:a aac -movflags frag_keyframe+empty_moov -g 3"),
    ("lossless.mkv", "-c:v ffv1 -level 3 -slicecrc 1 -c:a flac"), ("avc.mkv", "-c:v libx264 -bf 2 -c:a libopus"),
    ("vp9.webm", "-c:v libvpx-vp9 -deadline realtime -c:a libopus"), ("avc.ts", "-c:v libx264 -bf 2 -c:a mp2"),
    ("mpeg2.ts", "-c:v mpeg2video -bf 2 -c:a ac3"), ("jpeg.avi", "-c:v mjpeg -c:a pcm_s16le"),
    ("asp.avi", "-c:v mpeg4 -c:a libmp3lame"), ("prores.mov", "-c:v prores_ks -pix_fmt yuv422p10 -c:a pcm_s16le"),
    ("jpeg.mov", "-c:v mjpeg -c:a pcm_s16be"), ("lossless.nut", "-c:v ffv1 -level 3 -slicecrc 0 -c:a pcm_s16le"),
    ("raw.nut", "-c:v rawvideo -pix_fmt yuv420p -c:a flac"), ("p420.y4m", "-an"),
    ("p444.y4m", "-pix_fmt yuv444p10 -strict -1 -an"),
]
FOLDERS = ["png", "tiff", "big.tiff", "dicom", "frames.dicom"]
# Of each kind as many.
KINDS = {
    "mp4": ["avc.mp4", "asp.mp4", "frag.mp4"], "mkv": ["lossless.mkv", "avc.mkv"], "webm": ["vp9.webm"],
    "ts": ["avc.ts", "mpeg2.ts"], "avi": ["jpeg.avi", "asp.avi"], "mov": ["prores.mov", "jpeg.mov"],
    "nut": ["lossless.nut", "raw.nut"], "y4m": ["p420.y4m", "p444.y4m"], "png": ["png"],
    "tiff": ["tiff", "big.tiff"], "dicom": ["dicom", "frames.dicom"]}


def ffmpeg(*args):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *args], check=True, stdin=subprocess.DEVNULL)


def make_whole(folder):
    """Each file, or the files of each sequence, under its name in folder."""
    for name, options in VIDEO:
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.32", "-f", "lavfi", "-i",
               "sine=440:r=48000:d=0.32", "-threads", "1", *options.split(), "-shortest", f"{folder}/{name}")
    for name in FOLDERS:
        os.makedirs(f"{folder}/{name}")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.2", "-pix_fmt", "rgb24", f"{folder}/png/a%d.png")
    pages = [tiff.noise(i, (48, 64)) >> 3 << 3 for i in range(5)]
    tiff.write(f"{folder}/tiff/a.tif", pages, deflate=True)
    tiff.write(f"{folder}/big.tiff/a.tif", pages, big=True, endian=">")
    for i, page in enumerate(pages):
        dicom.write(f"{folder}/dicom/{i}.dcm", page >> 4, bits=12, number=i + 1, position=(0, 0, i))
    dicom.write(f"{folder}/frames.dicom/a.dcm", np.stack(pages), number=1)


# ---- damage

def flip(r, data):
    for _ in range(r.choice((1, 1, 2, 8, 64))):
        data[r.randrange(len(data))] ^= 1 << r.randrange(8)


def overwrite(r, data):
    at = r.randrange(len(data))
    data[at:at + r.randrange(1, 9)] = r.randbytes(r.randrange(1, 9))


def block(r, data):
    most = r.choice((4, 64, 1024, len(data) // 2 + 1))
    at = r.randrange(len(data))
    return at, min(len(data), at + r.randrange(1, most + 1))


def cut_off(r, data):
    del data[r.randrange(len(data)):]


def delete(r, data):
    at, end = block(r, data)
    del data[at:end]


def zero(r, data):
    at, end = block(r, data)
    data[at:end] = bytes(end - at)


def copy_over(r, data):
    at, end = block(r, data)
    to = r.randrange(len(data))
    data[to:to + end - at] = data[at:end]


def insert(r, data):
    at, end = block(r, data)
    to = r.randrange(len(data))
    data[to:to] = data[at:end]


def set_number(r, data):
    """A number of 2, 4 or 8 bytes, where one may be: most are small, so their high bytes are zero."""
    size, order = r.choice((2, 4, 4, 4, 8)), r.choice("<>")
    code = order + {2: "H", 4: "I", 8: "Q"}[size]
    spots = [i for i in range(min(len(data), 1 << 16) - size)
             if 0 < struct.unpack_from(code, data, i)[0] <= 2 * len(data)]
    at = r.choice(spots) if spots else 0
    if at + size > len(data):
        return
    old, most = struct.unpack_from(code, data, at)[0], (1 << 8 * size) - 1
    new = r.choice((0, 1, most, most >> 1, (most >> 1) + 1, old + 1, old - 1, 2 * old, len(data), old << 8))
    struct.pack_into(code, data, at, new & most)


DAMAGE = [flip, flip, overwrite, cut_off, delete, zero, copy_over, insert, set_number, set_number]


def damage(r, path):
    with open(path, "rb") as f:
        data = bytearray(f.read())
    done = []
    for _ in range(r.choice((1, 1, 1, 2, 3))):
        if data:
            how = r.choice(DAMAGE)
            how(r, data)
            done.append(how.__name__)
    with open(path, "wb") as f:
        f.write(data)
    return done


def make(whole, number, to):
    """Puts file `number` below folder to. Returns what is to be read, its kind, and what was done."""
    r = random.Random(number)
    kinds = list(KINDS)
    kind = kinds[number % len(kinds)]
    name = r.choice(KINDS[kind])
    if name not in FOLDERS:
        shutil.copy(f"{whole}/{name}", f"{to}/{name}")
        return f"{to}/{name}", kind, name, damage(r, f"{to}/{name}")
    shutil.copytree(f"{whole}/{name}", f"{to}/{name}")
    files = sorted(os.listdir(f"{to}/{name}"))
    file = f"{to}/{name}/{r.choice(files)}"
    done = damage(r, file)
    if kind == "png":
        return f"{to}/{name}/a%d.png", kind, name, done
    return f"{to}/{name}" if len(files) > 1 else file, kind, name, done


# ---- what is in it

def pages_of(path):
    """Of a TIFF: how many directories its chain has, -1 if that does not end as it should."""
    with open(path, "rb") as f:
        data = f.read()
    order = "<" if data[:2] == b"II" else ">"
    big = struct.unpack_from(order + "H", data, 2)[0] == 43
    count, entry, link = ("Q", 20, "Q") if big else ("H", 12, "I")
    pages, seen = 0, set()
    try:
        at = struct.unpack_from(order + link, data, 8 if big else 4)[0]
        while at and at not in seen:
            seen.add(at)
            pages += 1
            at += struct.calcsize(count) + entry * struct.unpack_from(order + count, data, at)[0]
            at = struct.unpack_from(order + link, data, at)[0]
    except struct.error:
        return -1
    return -1 if at else pages


def frames_in(path, kind):
    if kind == "png" or (kind == "dicom" and os.path.isdir(path)):
        return len(os.listdir(os.path.dirname(path) if kind == "png" else path))
    if kind == "tiff":
        return pages_of(path)
    if kind == "dicom":
        return 5
    # As many threads find as many; errors are the program's to tell.
    probe = subprocess.run(
        ["ffprobe", "-v", "quiet", "-count_frames", "-show_entries",
         "stream=nb_read_frames,codec_type:stream_disposition=attached_pic", "-of", "compact=nk=0:p=0", path],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    counts = [int(m) for line in probe.stdout.decode(errors="replace").splitlines() if "codec_type=video" in line
              for m in re.findall(r"nb_read_frames=(\d+)", line)]
    return max(counts, default=0)


# ---- trying

def run(command):
    env = dict(os.environ)
    env.setdefault("ASAN_OPTIONS", "detect_leaks=1")
    # Without a sanitizer the process that reads DICOM may not take what a broken length asks for.
    env["ASAN_OPTIONS"] += ":allocator_may_return_null=1:max_allocation_size_mb=512"
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, env=env)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired as e:
        return None, "", (e.stderr or b"").decode(errors="replace")


def foreign(report):
    """Whether the code that a sanitizer blames is a library's."""
    for line in report.splitlines():
        m = re.match(r" *#\d+ 0x[0-9a-f]+ (.*)", line)
        if m and not re.search(r"libsanitizer|libasan|__interceptor|__asan|operator new", m.group(1)):
            return re.search(r"\(/(usr/)?lib", m.group(1)) is not None
    return False


def try_file(whole, number):
    """Returns (status, violations, what was tried)."""
    to = tempfile.mkdtemp(dir=whole)
    path, kind, name, done = make(whole, number, to)
    words = ["stats", path] if number // len(KINDS) % 2 else ["render", path, "md5:"]
    command = [RUNNEL, *words, "-d", "none"]
    rc, out, err = run(command)
    if rc is None:  # a busy computer
        rc, out, err = run(command)
    wrong = []
    if rc is None:
        wrong.append(f"does not end within {PATIENCE} s")
    elif re.search(r"Sanitizer:|runtime error:", err):
        wrong.append("a sanitizer reports " + ("a fault of a library" if foreign(err) else "a fault"))
    elif rc not in (0, 3, 6):
        wrong.append(f"ends with status {rc}")
    elif rc == 0:
        split = out.splitlines()[1:] if command[1] == "stats" else out.splitlines()
        got = len({re.split("[ ,]", line)[0] for line in split})
        want = frames_in(path, kind)
        if got < want or want < 0:
            wrong.append(f"says that all is well after {got} frames, FFmpeg finds {want}")
    if wrong and KEEP:
        os.makedirs(KEEP, exist_ok=True)
        shutil.rmtree(f"{KEEP}/{number}", ignore_errors=True)
        shutil.copytree(to, f"{KEEP}/{number}")
        with open(f"{KEEP}/{number}/said", "w") as f:
            f.write(" ".join(command) + f"\nstatus {rc}\n{err}{out}")
    shutil.rmtree(to)
    return rc, wrong, f"{number}: {name}, {'+'.join(done)}, {command[1]}", err


def main():
    numbers = [int(a) for a in sys.argv[1:]] or range(FIRST, FIRST + COUNT)
    failed, statuses = {}, {}
    with tempfile.TemporaryDirectory(prefix="runnel-mutants-") as whole:
        make_whole(whole)
        with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", 2))) as pool:
            for rc, wrong, what, err in pool.map(lambda n: try_file(whole, n), numbers):
                statuses[rc] = statuses.get(rc, 0) + 1
                for w in wrong:
                    failed.setdefault(w.split()[0], []).append(what)
                    print(f"# {what}: {w}", flush=True)
                if sys.argv[1:]:
                    print(f"# {what}: status {rc}\n{err}")
    checks = {"does": "all damaged files are done with in time", "a": "no sanitizer reports anything",
              "ends": "the status is one for inputs", "says": "no frame is missing where all is well"}
    for i, (word, title) in enumerate(checks.items()):
        print(f"{'not ok' if failed.get(word) else 'ok'} {i + 1} - {title}")
    print("# of " + str(len(numbers)) + " files: " +
          ", ".join(f"{n} with status {rc}" for rc, n in sorted(statuses.items(), key=str)))
    sys.exit(1 if failed else 0)


main()
