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
           "closing": cv2.MORPH_CLOSE, "gradient": cv2.MORPH_GRADIENT, "tophat": cv2.MORPH_TOPHAT,
           "blackhat": cv2.MORPH_BLACKHAT}
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


def volume_element(shape, radius, depth):
    z, y, x = np.mgrid[-depth:depth + 1, -radius:radius + 1, -radius:radius + 1]
    if shape == "square":
        return np.ones(z.shape, bool)
    if shape == "cross":
        return ((x == 0).astype(int) + (y == 0) + (z == 0)) >= 2
    return (x * x + y * y) / radius**2 + z * z / depth**2 <= 1 + 1e-12


def volumes():
    """slices= is morphology in three dimensions: binary, on an infinite volume of zeros, and gray."""
    noise = ndimage.gaussian_filter(random.random((14, 50, 61)), 1)
    mask = np.where(noise > np.quantile(noise, 0.5), 255, 0).astype(np.uint8)
    gray = random.integers(0, 65536, (9, 31, 45), np.uint16)
    for shape, radius, depth, times in (("square", 1, 1, 1), ("cross", 2, 1, 1), ("disk", 2, 2, 1),
                                        ("disk", 3, 1, 2), ("square", 2, 3, 1)):
        chain = f"shape={shape}:radius={radius}:slices={depth}:iterations={times}"
        footprint = volume_element(shape, radius, depth)
        pad = [(2 * depth * times + 1,) * 2] + [(2 * radius * times + 1,) * 2] * 2
        inner = tuple(slice(a, -a) for a, _ in pad)
        want = ndimage.binary_closing(np.pad(mask > 0, pad), footprint, iterations=times)[inner]
        problems = []
        for i, got in enumerate(filtered(list(mask), f"closing={chain}:border=zero")):
            problems += differences(got, want[i].astype(np.uint8) * 255, f"binary, slice {i}")
        for border, mode in ("clamp", "nearest"), ("mirror", "mirror"):
            for name, ops in (("closing", (ndimage.grey_dilation, ndimage.grey_erosion)),
                              ("opening", (ndimage.grey_erosion, ndimage.grey_dilation))):
                want = gray
                for op in ops:
                    for _ in range(times):
                        want = op(want, footprint=footprint, mode=mode)
                for i, got in enumerate(filtered(list(gray), f"{name}={chain}:border={border}")):
                    problems += differences(got, want[i], f"{name}, {border}, slice {i}")
        report(f"closing and opening in 3-D, {chain}, SciPy", problems)
    problems = []
    footprint = volume_element("disk", 2, 1)
    for name, function in (("gradient", ndimage.morphological_gradient),
                           ("tophat", ndimage.white_tophat), ("blackhat", ndimage.black_tophat)):
        want = function(gray, footprint=footprint, mode="nearest")
        for i, got in enumerate(filtered(list(gray), f"{name}=shape=disk:radius=2:slices=1:border=clamp")):
            problems += differences(got, want[i], f"{name}, slice {i}")
    for n in 1, 2, 3:  # fewer slices than the element is deep
        want = ndimage.grey_closing(gray[:n], footprint=volume_element("square", 1, 5), mode="mirror")
        for i, got in enumerate(filtered(list(gray[:n]), "closing=slices=5:border=mirror")):
            problems += differences(got, want[i], f"{n} slices, slice {i}")
    report("gradient, tophat, blackhat in 3-D, and very few slices, SciPy", problems)


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


def scipy_median():
    """median is SciPy's median_filter and percentile_filter."""
    problems = []
    for dtype, top in (np.uint8, 256), (np.uint16, 65536):
        picture = random.integers(0, top, (75, 91), dtype)
        flat = (picture // (top // 8)).astype(dtype)  # many equal samples
        for radius in 1, 2, 3, 7, 15:
            for border, mode in ("mirror", "mirror"), ("clamp", "nearest"):
                for percentile in 50, 0, 33.6, 90, 100:
                    chain = f"median=radius={radius}:percentile={percentile}:border={border}"
                    for source, got in zip((picture, flat), filtered([picture, flat], chain)):
                        size = 2 * radius + 1
                        want = (ndimage.median_filter(source, size, mode=mode) if percentile == 50
                                else ndimage.percentile_filter(source, percentile, size, mode=mode))
                        problems += differences(got, want, chain)
    report("median, SciPy", problems)
    problems = []
    for dtype, top in (np.uint8, 256), (np.uint16, 65536):
        volume = random.integers(0, top, (6, 41, 53), dtype)
        for radius, reach in (1, 1), (2, 2), (4, 3), (8, 1), (1, 7):
            for border, mode in ("mirror", "mirror"), ("clamp", "nearest"):
                for percentile in 50, 15.5:
                    chain = (f"median=radius={radius}:percentile={percentile}:slices={reach}"
                             f":border={border}")
                    size = (2 * reach + 1, 2 * radius + 1, 2 * radius + 1)
                    want = (ndimage.median_filter(volume, size, mode=mode) if percentile == 50
                            else ndimage.percentile_filter(volume, percentile, size, mode=mode))
                    for i, got in enumerate(filtered(list(volume), chain)):
                        problems += differences(got, want[i], f"{chain} slice {i}")
    report("median of volumes, SciPy", problems)


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


for test in infinite_plane, opencv_closing, volumes, opencv_filter, scipy_median, numpy_stats:
    try:
        test()
    except (subprocess.SubprocessError, OSError, KeyError, ValueError) as error:
        report(test.__name__, [str(error)])
sys.exit(failures > 0)
