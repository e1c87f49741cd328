"""The program against OpenCV and SciPy, which know nothing of it.

Every test writes pictures, runs the program on them and compares all pixels (or those of the interior,
where border rules differ)."""
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

import cv2
import numpy as np
from scipy import ndimage

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNNEL = os.environ.get("RUNNEL", os.path.join(ROOT, "build", "runnel"))
random = np.random.default_rng(1)
number = failures = 0


def report(name, problems):
    global number, failures
    number += 1
    failures += bool(problems)
    for text in problems[:10]:
        print("#", text)
    print("not ok" if problems else "ok", number, "-", name, flush=True)


def filtered(pictures, chain):
    """Passes gray pictures, 8 or 16 bit, through the chain as PNG files."""
    folder = tempfile.mkdtemp(prefix="runnel-oracle-")
    try:
        for i, picture in enumerate(pictures):
            cv2.imwrite(f"{folder}/i{i:04d}.png", picture)
        subprocess.run([RUNNEL, "render", f"{folder}/i%04d.png", f"{folder}/o%04d.png", "-q",
                        "-f", chain], check=True, timeout=300, stdin=subprocess.DEVNULL)
        result = [cv2.imread(f"{folder}/o{i:04d}.png", cv2.IMREAD_UNCHANGED)
                  for i in range(len(pictures))]
    finally:
        shutil.rmtree(folder)
    return result


def measured(pictures, p):
    """What stats says about gray pictures: one dict a frame."""
    folder = tempfile.mkdtemp(prefix="runnel-oracle-")
    try:
        for i, picture in enumerate(pictures):
            cv2.imwrite(f"{folder}/i{i:04d}.png", picture)
        lines = subprocess.run([RUNNEL, "stats", f"{folder}/i%04d.png", "-q", "--json", "-p", str(p)],
                               check=True, timeout=300, stdin=subprocess.DEVNULL,
                               capture_output=True).stdout
    finally:
        shutil.rmtree(folder)
    return [json.loads(line) for line in lines.splitlines()]


def differences(got, want, what):
    if got is None or got.shape != want.shape or got.dtype != want.dtype:
        return [f"{what}: no picture of the same kind"]
    bad = np.argwhere(got != want)
    if not len(bad):
        return []
    y, x = bad[0]
    return [f"{what}: {len(bad)} pixels differ, first x {x} y {y}: {got[y, x]}, not {want[y, x]}"]


def element(shape, radius):
    y, x = np.mgrid[-radius:radius + 1, -radius:radius + 1]
    if shape == "square":
        return np.ones_like(x, np.uint8)
    if shape == "cross":
        return ((x == 0) | (y == 0)).astype(np.uint8)
    return (x * x + y * y <= radius * radius).astype(np.uint8)


def slices(n, size=512):
    """Binary slices as of a scan: blobs with ragged edges and holes, some on the border."""
    result = []
    for i in range(n):
        noise = ndimage.gaussian_filter(random.random((size, size)), 1 + i % 4)
        result.append(np.where(noise > np.quantile(noise, 0.3 + 0.1 * (i % 5)), 255, 0).astype(np.uint8))
    return result


def infinite_plane():
    """closing=border=zero is the mathematical closing on an infinite plane of zeros."""
    pictures = slices(6) + [random.choice(np.array([0, 255], np.uint8), (512, 512))]
    for shape, radius in ("cross", 1), ("square", 2), ("disk", 5):
        problems = []
        pad = 2 * radius + 1
        chain = f"closing=border=zero:shape={shape}:radius={radius}"
        for i, got in enumerate(filtered(pictures, chain)):
            closed = ndimage.binary_closing(np.pad(pictures[i] > 0, pad), element(shape, radius))
            want = closed[pad:-pad, pad:-pad].astype(np.uint8) * 255
            problems += differences(got, want, f"slice {i}")
        report(f"{chain} on 512x512 slices, SciPy", problems)


def opencv_closing():
    """closing=border=ignore is what OpenCV computes with its default border."""
    gray = [random.integers(0, 256, (101, 177), np.uint8), random.integers(0, 256, (64, 64), np.uint8)]
    deep = [random.integers(0, 65536, (101, 177), np.uint16)]
    ops = {"erosion": cv2.MORPH_ERODE, "dilation": cv2.MORPH_DILATE, "opening": cv2.MORPH_OPEN,
           "closing": cv2.MORPH_CLOSE}
    for name, op in ops.items():
        problems = []
        for shape, radius, iterations in (("square", 1, 1), ("cross", 2, 1), ("disk", 3, 2),
                                          ("disk", 15, 1), ("square", 31, 1)):
            chain = f"{name}=shape={shape}:radius={radius}:iterations={iterations}:border=ignore"
            for batch in [gray[:1], gray[1:], deep]:
                got = filtered(batch, chain)[0]
                want = cv2.morphologyEx(batch[0], op, element(shape, radius), iterations=iterations)
                problems += differences(got, want, chain)
        report(f"{name}, OpenCV", problems)


def opencv_filter():
    """convolution is correlation, as filter2D computes it; its rounding is half to even as well."""
    picture = random.integers(0, 256, (97, 131), np.uint8)
    borders = {"clamp": cv2.BORDER_REPLICATE, "zero": cv2.BORDER_CONSTANT,
               "mirror": cv2.BORDER_REFLECT_101}
    problems = []
    for w, h in (3, 3), (5, 5), (9, 9), (3, 7), (11, 1):
        matrix = random.integers(-9, 10, (h, w))
        numbers = " ".join(str(v) for v in matrix.flat)
        for border, code in borders.items():
            chain = f"convolution=size={w}x{h}:matrix='{numbers}':div=1:bias=100:border={border}"
            exact = cv2.filter2D(picture.astype(np.float64), cv2.CV_64F, matrix.astype(np.float64),
                                 borderType=code) + 100
            want = np.clip(np.rint(exact), 0, 255).astype(np.uint8)
            problems += differences(filtered([picture], chain)[0], want, chain)
    report("convolution, OpenCV", problems)
    problems = []
    for size in 3, 9, 15:
        numbers = " ".join("1" for _ in range(size * size))
        got = filtered([picture], f"convolution=matrix='{numbers}'")[0]
        want = cv2.blur(picture, (size, size), borderType=cv2.BORDER_REPLICATE)
        # a mean is rounded once here and once there: they may part by one where it ends in .5
        apart = np.abs(got.astype(int) - want.astype(int)).max()
        if apart > 1:
            problems.append(f"{size}x{size} ones: {apart} apart from the mean")
    report("convolution with ones is the mean, OpenCV", problems)


def exact_stats():
    """stats against integers of any size: the same integers, the rest within 1e-9."""
    deep = [random.integers(0, 65536, (61, 83), np.uint16),
            np.minimum(random.integers(0, 70000, (61, 83)), 65535).astype(np.uint16),
            np.zeros((61, 83), np.uint16), np.full((61, 83), 65535, np.uint16)]
    small = [random.integers(0, 256, (61, 83), np.uint8) for _ in range(3)]
    for p, pictures in (5, small), (1, deep), (2, deep), (64, deep), (333, deep), (1000, deep):
        problems, before = [], None
        for i, row in enumerate(measured(pictures, p)):
            x = [int(v) for v in pictures[i].flat]
            n, l1, squares = len(x), sum(x), sum(v * v for v in x)
            counts = np.unique(pictures[i], return_counts=True)[1]
            powers = sum(int(v) ** p * int(c)
                         for v, c in zip(*np.unique(pictures[i], return_counts=True)))
            want = {"mean": l1 / n, "variance": (n * squares - l1 * l1) / n / n, "min": min(x),
                    "max": max(x), "linf": max(x), "l1": l1, "l2": math.sqrt(squares),
                    "lp": math.exp(math.log(powers) / p) if powers else 0,
                    "entropy": -sum(c / n * math.log2(c / n) for c in counts)}
            if before is None and (row["dot_prev"], row["ncc_prev"]) != (None, None):
                problems.append("the first frame has a previous one")
            if before:
                dot = sum(a * b for a, b in zip(x, before))
                scale = math.sqrt(squares * sum(v * v for v in before))
                want.update(dot_prev=dot, ncc_prev=dot / scale if scale else 0)
            for key, value in want.items():
                if abs(row[key] - value) > (0 if isinstance(value, int) else 1e-9 * abs(value)):
                    problems.append(f"picture {i}, {key}: {row[key]}, not {value}")
            before = x
        report(f"stats, p={p}, {pictures[0].dtype}, integers of any size", problems)


for test in infinite_plane, opencv_closing, opencv_filter, exact_stats:
    try:
        test()
    except (subprocess.SubprocessError, OSError, KeyError, ValueError) as error:
        report(test.__name__, [str(error)])
sys.exit(failures > 0)
