"""The program against OpenCV and SciPy, which know nothing of it.

Every test writes pictures, runs the program on them and compares all pixels (or those of the interior,
where border rules differ)."""
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


def point_pictures():
    """8-bit pictures of unlike histograms."""
    rough = random.integers(0, 256, (97, 131), np.uint8)
    smooth = ndimage.gaussian_filter(random.random((200, 301)), 3)
    smooth = ((smooth - smooth.min()) / np.ptp(smooth) * 255).astype(np.uint8)
    classes = np.where(random.random((120, 90)) < 0.3, random.normal(180, 15, (120, 90)),
                       random.normal(70, 20, (120, 90))).clip(0, 255).astype(np.uint8)
    low = random.integers(100, 121, (64, 80), np.uint8)
    two = random.choice(np.array([40, 90], np.uint8), (33, 65))
    return {"random": rough, "smooth": smooth, "two classes": classes, "low contrast": low,
            "two values": two, "one value": np.full((20, 30), 77, np.uint8),
            "black": np.zeros((9, 9), np.uint8), "white": np.full((9, 9), 255, np.uint8)}


def opencv_equalize():
    """equalize is equalizeHist; above 8 bit the same formula, as NumPy computes it in fp32."""
    problems = []
    for name, picture in point_pictures().items():
        problems += differences(filtered([picture], "equalize")[0], cv2.equalizeHist(picture), name)
    report("equalize, OpenCV", problems)
    problems = []
    for name, top in ("all values", 65536), ("few values", 50), ("one value", 1):
        picture = (random.integers(0, top, (201, 177)) + (0 if top == 65536 else 3000)).astype(np.uint16)
        h = np.bincount(picture.ravel(), minlength=65536)
        first = np.flatnonzero(h)[0]
        want = picture
        if h[first] != picture.size:
            scale = np.float32(65535) / np.float32(picture.size - h[first])
            table = np.rint((h.cumsum() - h[first]).clip(0).astype(np.float32) * scale)
            want = table.clip(0, 65535).astype(np.uint16)[picture]
        problems += differences(filtered([picture], "equalize")[0], want, name)
    report("equalize at 16 bit, NumPy", problems)


def opencv_threshold():
    """threshold with a level and with Otsu's method; OpenCV takes both at 16 bit, too."""
    problems = []
    pictures = point_pictures()
    for name, picture in pictures.items():
        for level in 0, 1, 77, 128, 254, 255:
            want = cv2.threshold(picture, level, 255, cv2.THRESH_BINARY)[1]
            problems += differences(filtered([picture], f"threshold={level}")[0], want,
                                    f"{name}, level {level}")
    report("threshold, OpenCV", problems)
    problems = []
    deep = (pictures["two classes"].astype(np.uint16) * 200 +
            random.integers(0, 2000, pictures["two classes"].shape)).astype(np.uint16)
    for name, picture, top in ([(n, p, 255) for n, p in pictures.items()] +
                               [("16 bit", deep, 65535)]):
        want = cv2.threshold(picture, 0, top, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1]
        problems += differences(filtered([picture], "threshold=otsu=1")[0], want, name)
    report("threshold by Otsu's method, OpenCV", problems)


def numpy_levels():
    """invert and levels against their formulas."""
    problems = []
    pictures = point_pictures()
    deep = random.integers(0, 65536, (97, 131), np.uint16)
    for picture in pictures["random"], pictures["smooth"], deep:
        top = np.iinfo(picture.dtype).max
        unit = (top + 1) // 256

        def samples(v):
            return top if v == 255 else v * unit

        problems += differences(filtered([picture], "invert")[0], top - picture, "invert")
        problems += differences(filtered([picture], "levels")[0], picture, "levels")
        for black, white, gamma, low, high in ((16, 235, 1, 0, 255), (30, 200, 2.2, 0, 255),
                                               (0, 255, 0.45, 255, 0), (100, 101, 3, 16, 235)):
            b, w, lo, hi = (samples(v) for v in (black, white, low, high))
            t = ((picture.astype(np.float64) - b) / (w - b)).clip(0, 1)
            want = np.rint(lo + (hi - lo) * t ** (1 / float(np.float32(gamma))))
            chain = f"levels={black}:{white}:{gamma}:{low}:{high}"
            problems += differences(filtered([picture], chain)[0], want.astype(picture.dtype), chain)
        got = filtered([picture], "levels=window=80:level=40")[0]
        t = (picture.astype(np.float64) / (80 * unit)).clip(0, 1)
        problems += differences(got, np.rint(top * t).astype(picture.dtype), "window")
    report("invert and levels, NumPy", problems)


def numpy_stats():
    """runnel stats against NumPy in double precision."""
    problems = []
    for dtype, top in (np.uint8, 256), (np.uint16, 65536):
        pictures = [random.integers(0, top, (33, 65), dtype) for _ in range(3)]
        folder = tempfile.mkdtemp(prefix="runnel-oracle-")
        try:
            for i, picture in enumerate(pictures):
                cv2.imwrite(f"{folder}/i{i}.png", picture)
            out = subprocess.run([RUNNEL, "stats", f"{folder}/i%d.png", "-q", "--p", "5"], check=True,
                                 timeout=300, stdin=subprocess.DEVNULL, capture_output=True,
                                 text=True).stdout.splitlines()
        finally:
            shutil.rmtree(folder)
        names = out[0].split(",")
        for i, line in enumerate(out[1:]):
            row = dict(zip(names, line.split(",")))
            a = pictures[i].astype(np.float64).ravel()
            p = np.unique(a, return_counts=True)[1] / a.size
            want = {"mean": a.mean(), "variance": a.var(), "min": a.min(), "max": a.max(),
                    "l1": a.sum(), "l2": np.sqrt((a * a).sum()), "lp": (a ** 5).sum() ** 0.2,
                    "linf": a.max(), "entropy": -(p * np.log2(p)).sum()}
            if i:
                b = pictures[i - 1].astype(np.float64).ravel()
                want["dot_prev"] = a @ b
                want["ncc_prev"] = a @ b / np.sqrt((a @ a) * (b @ b))
            elif row["dot_prev"] or row["ncc_prev"]:
                problems.append("the first frame has a previous one")
            for name, value in want.items():
                if abs(float(row[name]) - value) > 1e-8 * abs(value):
                    problems.append(f"frame {i} {name}: {row[name]}, not {value!r}")
    report("stats, NumPy", problems)


for test in (infinite_plane, opencv_closing, opencv_filter, opencv_equalize, opencv_threshold,
             numpy_levels, numpy_stats):
    try:
        test()
    except (subprocess.SubprocessError, OSError, KeyError, ValueError) as error:
        report(test.__name__, [str(error)])
sys.exit(failures > 0)
