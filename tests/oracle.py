"""The program against OpenCV and SciPy, which know nothing of it.

Every test writes pictures, runs the program on them and compares all pixels (or those of the interior,
where border rules differ). WHOLE=1 takes every combination of some parameters."""
import itertools  # SPDX-License-Identifier: MIT
import json
import math
import multiprocessing
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np
from scipy import ndimage

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNNEL = os.environ.get("PRESTARTED_RUNNEL") or os.environ.get("RUNNEL", os.path.join(ROOT, "build", "runnel"))
# Hundreds of runs make the leak checker crash now and then while it stops PoCL's threads ("Tracer caught
# signal 11"). The other suites check the same code for leaks.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
# The references are what the numeric tests hold every device to, and start in a third of the time.
os.environ.setdefault("RUNNEL_DEVICE", "none")
random = np.random.default_rng(1)  # of one test, which begins anew
reports = []  # likewise: (name, problems)
problems = []  # of the next one
BORDERS = {"clamp": cv2.BORDER_REPLICATE, "zero": cv2.BORDER_CONSTANT, "mirror": cv2.BORDER_REFLECT_101}


def combined(*factors):
    """All combinations, or every seventh: of 5 by 2 by 5 values each is still among them."""
    found = list(itertools.product(*factors))
    return found if os.environ.get("WHOLE") else found[::7]


def report(name):
    """Ends a test: what was found wrong since the last one is its own."""
    reports.append((name, list(problems)))
    problems.clear()


def runnel(folder, pictures, command, *words):
    """Runs a command on gray pictures, 8 or 16 bit, as PNG files in the folder; what it prints."""
    for i, picture in enumerate(pictures):
        cv2.imwrite(f"{folder}/i{i:04d}.png", picture)
    return subprocess.run([RUNNEL, command, f"{folder}/i%04d.png", *words, "-q"], check=True, timeout=300,
                          stdin=subprocess.DEVNULL, capture_output=True).stdout


def rendered(pictures, chain):
    with tempfile.TemporaryDirectory(prefix="runnel-oracle-") as folder:
        runnel(folder, pictures, "render", f"{folder}/o%04d.png", "-f", chain)
        return [cv2.imread(f"{folder}/o{i:04d}.png", cv2.IMREAD_UNCHANGED) for i in range(len(pictures))]


def measured(pictures, p):
    """What stats says about gray pictures: one dict a frame."""
    with tempfile.TemporaryDirectory(prefix="runnel-oracle-") as folder:
        lines = runnel(folder, pictures, "stats", "--json", "-p", str(p))
    return [json.loads(line) for line in lines.splitlines()]


SCANS = os.path.join(os.environ.get("BUILD", os.path.join(ROOT, "build", "release")), "tests", "scans")
FORMATS = {"uint8": "gray", "uint16": "gray16", "int16": "grays16", "float32": "grayf32"}


def through(volume, chain, form=None, to=None):
    """Passes slices through the chain: the engine alone, which starts in a tenth of the program's time."""
    n, h, w = volume.shape
    form = form or FORMATS[str(volume.dtype)]
    out = subprocess.run([SCANS, "--through", form, f"{w}x{h}x{n}", "-1000", "3000", chain], check=True,
                         timeout=300, input=volume.tobytes(), capture_output=True).stdout
    return np.frombuffer(out, to or volume.dtype).reshape(volume.shape)


def filtered(pictures, chain, to=None):
    """Likewise gray pictures of one size, 8 or 16 bit, as those of video are: levels in 8-bit units."""
    return list(through(np.stack(pictures), chain, to=to))


def compare(got, want, what):
    if got is None or got.shape != want.shape or got.dtype != want.dtype:
        problems.append(f"{what}: no picture of the same kind")
        return
    bad = np.argwhere(got != want)
    if len(bad):
        y, x = bad[0]
        problems.append(f"{what}: {len(bad)} pixels differ, first x {x} y {y}: {got[y, x]}, not {want[y, x]}")


def compare_all(got, want, what):
    """Slice by slice."""
    for i, picture in enumerate(got):
        compare(picture, want[i], f"{what}, slice {i}")


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
    pictures = slices(6 if os.environ.get("WHOLE") else 2) + [random.choice(np.array([0, 255], np.uint8), (512, 512))]
    for shape, radius in ("cross", 1), ("square", 2), ("disk", 5):
        pad = 2 * radius + 1
        chain = f"closing=border=zero:shape={shape}:radius={radius}"
        for i, got in enumerate(rendered(pictures, chain)):
            closed = ndimage.binary_closing(np.pad(pictures[i] > 0, pad), element(shape, radius))
            want = closed[pad:-pad, pad:-pad].astype(np.uint8) * 255
            compare(got, want, f"slice {i}")
        report(f"{chain} on 512x512 slices, SciPy")


def opencv_closing():
    """closing=border=ignore is what OpenCV computes with its default border."""
    gray = [random.integers(0, 256, (101, 177), np.uint8), random.integers(0, 256, (64, 64), np.uint8)]
    deep = [random.integers(0, 65536, (101, 177), np.uint16)]
    ops = {"erosion": cv2.MORPH_ERODE, "dilation": cv2.MORPH_DILATE, "opening": cv2.MORPH_OPEN,
           "closing": cv2.MORPH_CLOSE, "gradient": cv2.MORPH_GRADIENT, "tophat": cv2.MORPH_TOPHAT,
           "blackhat": cv2.MORPH_BLACKHAT}
    for name, op in ops.items():
        elements = ("square", 1, 1), ("cross", 2, 1), ("disk", 3, 2), ("disk", 15, 1), ("square", 31, 1)
        for (shape, radius, iterations), picture in combined(elements, gray + deep):
            chain = f"{name}=shape={shape}:radius={radius}:iterations={iterations}:border=ignore"
            want = cv2.morphologyEx(picture, op, element(shape, radius), iterations=iterations)
            compare(filtered([picture], chain)[0], want, chain)
        report(f"{name}, OpenCV")


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
        compare_all(filtered(list(mask), f"closing={chain}:border=zero"), want.astype(np.uint8) * 255, "binary")
        for border, mode in ("clamp", "nearest"), ("mirror", "mirror"):
            for name, ops in (("closing", (ndimage.grey_dilation, ndimage.grey_erosion)),
                              ("opening", (ndimage.grey_erosion, ndimage.grey_dilation))):
                want = gray
                for op in ops:
                    for _ in range(times):
                        want = op(want, footprint=footprint, mode=mode)
                compare_all(filtered(list(gray), f"{name}={chain}:border={border}"), want, f"{name}, {border}")
        report(f"closing and opening in 3-D, {chain}, SciPy")
    footprint = volume_element("disk", 2, 1)
    for name, function in (("gradient", ndimage.morphological_gradient),
                           ("tophat", ndimage.white_tophat), ("blackhat", ndimage.black_tophat)):
        want = function(gray, footprint=footprint, mode="nearest")
        compare_all(filtered(list(gray), f"{name}=shape=disk:radius=2:slices=1:border=clamp"), want, name)
    for n in 1, 2, 3:  # fewer slices than the element is deep
        want = ndimage.grey_closing(gray[:n], footprint=volume_element("square", 1, 5), mode="mirror")
        compare_all(filtered(list(gray[:n]), "closing=slices=5:border=mirror"), want, f"{n} slices")
    report("gradient, tophat, blackhat in 3-D, and very few slices, SciPy")


def opencv_filter():
    """convolution is correlation, as filter2D computes it; its rounding is half to even as well."""
    picture = random.integers(0, 256, (97, 131), np.uint8)
    for w, h in (3, 3), (5, 5), (9, 9), (3, 7), (11, 1):
        matrix = random.integers(-9, 10, (h, w))
        numbers = " ".join(str(v) for v in matrix.flat)
        for border, code in BORDERS.items():
            chain = f"convolution=size={w}x{h}:matrix='{numbers}':div=1:bias=100:border={border}"
            exact = cv2.filter2D(picture.astype(np.float64), cv2.CV_64F, matrix.astype(np.float64),
                                 borderType=code) + 100
            want = np.clip(np.rint(exact), 0, 255).astype(np.uint8)
            compare(filtered([picture], chain)[0], want, chain)
    report("convolution, OpenCV")
    for size in 3, 9, 15:
        numbers = " ".join("1" for _ in range(size * size))
        got = filtered([picture], f"convolution=matrix='{numbers}'")[0]
        want = cv2.blur(picture, (size, size), borderType=cv2.BORDER_REPLICATE)
        # a mean is rounded once here and once there: they may part by one where it ends in .5
        apart = np.abs(got.astype(int) - want.astype(int)).max()
        if apart > 1:
            problems.append(f"{size}x{size} ones: {apart} apart from the mean")
    report("convolution with ones is the mean, OpenCV")


def y4m(picture, depth):
    """A gray picture as a stream of one frame."""
    h, w = picture.shape
    kind = "mono" if depth == 8 else f"mono{depth}"
    return f"YUV4MPEG2 W{w} H{h} F25:1 Ip A1:1 C{kind}\nFRAME\n".encode() + picture.tobytes()


def ffmpeg(picture, depth, filters):
    """What each of FFmpeg's filters makes of a gray picture; its C is asked (-cpuflags 0): from FFmpeg 6 on, its
    sobel for AVX-512 wraps negative values to 255."""
    n = len(filters)
    graph = (f"split={n}" + "".join(f"[i{i}]" for i in range(n)) + ";" +
             ";".join(f"[i{i}]{text}[o{i}]" for i, text in enumerate(filters)) + ";" +
             "".join(f"[o{i}]" for i in range(n)) + f"vstack={n}")
    out = subprocess.run(["ffmpeg", "-v", "error", "-cpuflags", "0", "-f", "yuv4mpegpipe", "-i", "-", "-vf", graph,
                          "-strict", "-1", "-f", "rawvideo", "-"], input=y4m(picture, depth), check=True,
                         timeout=300, capture_output=True).stdout
    return np.frombuffer(out, picture.dtype).reshape((n,) + picture.shape)


def ffmpeg_edges():
    """prewitt, sobel and roberts are FFmpeg's, but for the outermost pixels. FFmpeg's delta is in
    units of the samples, ours in those of 8 bits."""
    for name in "prewitt", "sobel", "roberts":
        for depth in 8, 10, 16:
            picture = random.integers(0, 1 << depth, (67, 131), np.uint16 if depth > 8 else np.uint8)
            picture[:40] >>= depth // 2
            picture[20:30, :60] = 1 << (depth - 1)
            chains = [f"{name}=scale={scale}:delta={delta if depth == 8 else 0}"
                      for scale, delta in ((1, 0), (0.37, 0), (0.05, 10.5), (3.3, -20), (1000, 0))]
            for chain, want in zip(chains, ffmpeg(picture, depth, chains)):
                got = through(picture[None], chain, f"gray{depth}" if depth > 8 else None)[0]
                compare(got[1:-1, 1:-1], want[1:-1, 1:-1], f"{chain}, {depth} bit")
        report(f"{name}, FFmpeg")


def opencv_details():
    """laplacian, sharpen and emboss as matrices of filter2D; emboss turns with its direction."""
    matrices = {"laplacian": [0, 1, 0, 1, -4, 1, 0, 1, 0],
                "laplacian=neighbours=8:delta=128": [1, 1, 1, 1, -8, 1, 1, 1, 1],
                "laplacian=scale=-0.5:delta=3": [0, -.5, 0, -.5, 2, -.5, 0, -.5, 0],
                "sharpen": [0, -1, 0, -1, 5, -1, 0, -1, 0],
                "sharpen=0.25": [0, -.25, 0, -.25, 2, -.25, 0, -.25, 0],
                "emboss": [-2, -1, 0, -1, 1, 1, 0, 1, 2],
                "emboss=direction=e:relief=gray": [-1, 0, 1, -2, 0, 2, -1, 0, 1],
                "emboss=direction=n:amount=2": [2, 4, 2, 0, 1, 0, -2, -4, -2]}
    for top, dtype in (256, np.uint8), (65536, np.uint16):
        picture = random.integers(0, top, (67, 131), dtype)
        for chain, matrix in matrices.items():
            delta = 128 if "128" in chain or "gray" in chain else 3 if "=3" in chain else 0
            exact = cv2.filter2D(picture.astype(np.float64), cv2.CV_64F,
                                 np.array(matrix, np.float64).reshape(3, 3),
                                 borderType=cv2.BORDER_REPLICATE) + delta * (top // 256)
            want = np.clip(np.rint(exact), 0, top - 1).astype(dtype)
            compare(filtered([picture], chain)[0], want, chain)
    picture = random.integers(0, 256, (67, 131), np.uint8)
    for one, turned in ("n", "w"), ("w", "s"), ("s", "e"), ("ne", "nw"), ("nw", "sw"), ("sw", "se"):
        got = filtered([np.ascontiguousarray(np.rot90(picture))], f"emboss=direction={turned}")[0]
        want = np.rot90(filtered([picture], f"emboss=direction={one}")[0])
        compare(got, want, f"emboss to {turned}")
    report("laplacian, sharpen, emboss, OpenCV")


def scipy_blur():
    """blur is SciPy's Gaussian with the same radius, within the one rounding; a wide one goes by a coarser
    grid, and is 2e-4 of the range away from it at most."""
    modes = {"clamp": "nearest", "zero": "constant", "mirror": "mirror", "wrap": "wrap"}
    for top, dtype in (256, np.uint8), (65536, np.uint16):
        picture = random.integers(0, top, (67, 131), dtype)
        picture[20:40, 30:90] = top - 1
        for sigma in 0.1, 1, 3.3, 4.2, 9, 20:
            for border, mode in modes.items():
                chain = f"blur=sigma={sigma}:border={border}"
                got = filtered([picture], chain)[0]
                want = ndimage.gaussian_filter(picture.astype(np.float64), sigma, mode=mode,
                                               radius=int(np.ceil(4 * sigma)))
                apart = np.abs(got - want).max()
                if apart > 0.51 + top * (2e-4 if sigma >= 4 else 2 ** -20):
                    problems.append(f"{chain}: {apart} apart from the exact value")
    report("blur, SciPy")


def opencv_box():
    """boxblur is the exact mean, rounded once."""
    for top, dtype in (256, np.uint8), (65536, np.uint16):
        picture = random.integers(0, top, (270, 310), dtype)
        picture[100:, 100:] = top - 1
        for radius in 1, 2, 7, 64, 127:
            for border, code in BORDERS.items():
                chain = f"boxblur=radius={radius}:border={border}"
                side = 2 * radius + 1
                sums = cv2.boxFilter(picture.astype(np.float64), cv2.CV_64F, (side, side),
                                     normalize=False, borderType=code).astype(np.int64)
                want = ((sums + side * side // 2) // (side * side)).astype(dtype)
                compare(filtered([picture], chain)[0], want, chain)
    report("boxblur, OpenCV")


def percentile_of(picture, percentile, size, mode):
    return (ndimage.median_filter(picture, size, mode=mode) if percentile == 50
            else ndimage.percentile_filter(picture, percentile, size, mode=mode))


def scipy_median():
    """median is SciPy's median_filter and percentile_filter."""
    for dtype, top in (np.uint8, 256), (np.uint16, 65536):
        picture = random.integers(0, top, (75, 91), dtype)
        flat = (picture // (top // 8)).astype(dtype)  # many equal samples
        borders = ("mirror", "mirror"), ("clamp", "nearest")
        for radius, (border, mode), percentile in combined((1, 2, 3, 7, 15), borders, (50, 0, 33.6, 90, 100)):
            chain = f"median=radius={radius}:percentile={percentile}:border={border}"
            for source, got in zip((picture, flat), filtered([picture, flat], chain)):
                compare(got, percentile_of(source, percentile, 2 * radius + 1, mode), chain)
    report("median, SciPy")
    for dtype, top in (np.uint8, 256), (np.uint16, 65536):
        volume = random.integers(0, top, (6, 41, 53), dtype)
        boxes = (1, 1), (2, 2), (4, 3), (8, 1), (1, 7)
        for (radius, reach), (border, mode), percentile in combined(boxes, borders, (50, 15.5)):
            chain = f"median=radius={radius}:percentile={percentile}:slices={reach}:border={border}"
            size = (2 * reach + 1, 2 * radius + 1, 2 * radius + 1)
            compare_all(filtered(list(volume), chain), percentile_of(volume, percentile, size, mode), chain)
    report("median of volumes, SciPy")


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
    for name, picture in point_pictures().items():
        compare(filtered([picture], "equalize")[0], cv2.equalizeHist(picture), name)
    report("equalize, OpenCV")
    for name, top in ("all values", 65536), ("few values", 50), ("one value", 1):
        picture = (random.integers(0, top, (201, 177)) + (0 if top == 65536 else 3000)).astype(np.uint16)
        h = np.bincount(picture.ravel(), minlength=65536)
        first = np.flatnonzero(h)[0]
        want = picture
        if h[first] != picture.size:
            scale = np.float32(65535) / np.float32(picture.size - h[first])
            table = np.rint((h.cumsum() - h[first]).clip(0).astype(np.float32) * scale)
            want = table.clip(0, 65535).astype(np.uint16)[picture]
        compare(filtered([picture], "equalize")[0], want, name)
    report("equalize at 16 bit, NumPy")


def opencv_threshold():
    """threshold with a level and with Otsu's method; OpenCV takes both at 16 bit, too."""
    pictures = point_pictures()
    for name, picture in pictures.items():
        for level in 0, 1, 77, 128, 254, 255:
            want = cv2.threshold(picture, level, 255, cv2.THRESH_BINARY)[1]
            compare(filtered([picture], f"threshold={level}")[0], want, f"{name}, level {level}")
    report("threshold, OpenCV")
    deep = (pictures["two classes"].astype(np.uint16) * 200 +
            random.integers(0, 2000, pictures["two classes"].shape)).astype(np.uint16)
    for name, picture, top in ([(n, p, 255) for n, p in pictures.items()] + [("16 bit", deep, 65535)]):
        want = cv2.threshold(picture, 0, top, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1]
        compare(filtered([picture], "threshold=otsu=1:values=range")[0], want, name)
        mask = filtered([picture], "threshold=otsu=1", np.uint8)[0]
        compare(mask, (want > 0).astype(np.uint8) * 255, name)
    report("threshold by Otsu's method, OpenCV")


def numpy_levels():
    """invert and levels against their formulas."""
    pictures = point_pictures()
    deep = random.integers(0, 65536, (97, 131), np.uint16)
    for picture in pictures["random"], pictures["smooth"], deep:
        top = np.iinfo(picture.dtype).max
        unit = (top + 1) // 256

        def samples(v):
            return top if v == 255 else v * unit

        compare(filtered([picture], "invert")[0], top - picture, "invert")
        compare(filtered([picture], "levels")[0], picture, "levels")
        for black, white, gamma, low, high in ((16, 235, 1, 0, 255), (30, 200, 2.2, 0, 255),
                                               (0, 255, 0.45, 255, 0), (100, 101, 3, 16, 235)):
            b, w, lo, hi = (samples(v) for v in (black, white, low, high))
            t = ((picture.astype(np.float64) - b) / (w - b)).clip(0, 1)
            want = np.rint(lo + (hi - lo) * t ** (1 / float(np.float32(gamma))))
            chain = f"levels={black}:{white}:{gamma}:{low}:{high}"
            compare(filtered([picture], chain)[0], want.astype(picture.dtype), chain)
        got = filtered([picture], "levels=window=80:level=40")[0]
        t = (picture.astype(np.float64) / (80 * unit)).clip(0, 1)
        compare(got, np.rint(top * t).astype(picture.dtype), "window")
    report("invert and levels, NumPy")


def exact_stats():
    """stats against integers of any size: the same integers, the rest within 1e-9."""
    deep = [random.integers(0, 65536, (61, 83), np.uint16),
            np.minimum(random.integers(0, 70000, (61, 83)), 65535).astype(np.uint16),
            np.zeros((61, 83), np.uint16), np.full((61, 83), 65535, np.uint16)]
    small = [random.integers(0, 256, (61, 83), np.uint8) for _ in range(3)]
    for p, pictures in (5, small), (1, deep), (2, deep), (64, deep), (333, deep), (1000, deep):
        before = None
        for i, row in enumerate(measured(pictures, p)):
            x = [int(v) for v in pictures[i].flat]
            n, l1, squares = len(x), sum(x), sum(v * v for v in x)
            counts = np.unique(pictures[i], return_counts=True)[1]
            powers = sum(int(v) ** p * int(c) for v, c in zip(*np.unique(pictures[i], return_counts=True)))
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
        report(f"stats, p={p}, {pictures[0].dtype}, integers of any size")


def scans():
    """Floats and signed samples: minimum, maximum and median are SciPy's, sums are within 1e-6 of it."""
    noise = ndimage.gaussian_filter(random.normal(size=(6, 40, 33)), (0, 1, 1))
    floats = (noise * 3000).astype(np.float32)
    floats[2, 5, 7], floats[3, 20, 1], floats[0, 0, 0] = np.inf, -np.inf, -0.0
    signed = np.clip(noise * 90000, -32768, 32767).astype(np.int16)
    for volume in floats, signed:
        for chain, name, options in (
                ("erosion=shape=disk:radius=3:border=clamp", "minimum_filter", {"footprint": element("disk", 3)}),
                ("dilation=shape=cross:radius=2:border=clamp", "maximum_filter",
                 {"footprint": element("cross", 2)}),
                ("median=radius=1", "median_filter", {"size": 3}),
                ("median=radius=4", "median_filter", {"size": 9}),
                ("median=radius=2:percentile=20", "percentile_filter", {"size": 5, "percentile": 20})):
            want = [getattr(ndimage, name)(picture, mode="nearest", **options) for picture in volume]
            compare_all(through(volume, chain), want, chain)
        footprint = volume_element("disk", 2, 2)
        compare_all(through(volume, "closing=shape=disk:radius=2:slices=2:border=clamp"),
                    ndimage.grey_closing(volume, footprint=footprint, mode="nearest"), "closing with a ball")
        compare_all(through(volume, "erosion=shape=disk:radius=5:slices=5:border=mirror"),
                    ndimage.grey_erosion(volume, footprint=volume_element("disk", 5, 5), mode="mirror"), "a large ball")
        compare_all(through(volume, "median=radius=1:slices=1:border=mirror"),
                    ndimage.median_filter(volume, size=3, mode="mirror"), "median of a box")
        pad = 7
        wide = np.pad(volume, pad)
        want = ndimage.grey_opening(wide, footprint=volume_element("square", 2, 1))[pad:-pad, pad:-pad, pad:-pad]
        compare_all(through(volume, "opening=shape=square:radius=2:slices=1:border=zero"), want, "opening among zeros")
        report(f"erosion, dilation, median, closing, opening of {volume.dtype}, SciPy")
    floats[~np.isfinite(floats)] = 0
    matrix = random.normal(size=(5, 5))
    exact = floats.astype(np.float64)
    numbers = " ".join(repr(float(v)) for v in matrix.flat)
    scale = np.abs(exact).max() * np.abs(matrix).sum()
    box = np.ones((7, 7)) / 49
    for chain, want, size in (
            (f"convolution=matrix='{numbers}':div=1",
             [ndimage.correlate(v, matrix, mode="nearest") for v in exact], scale),
            ("boxblur=3:border=mirror", [ndimage.correlate(v, box, mode="mirror") for v in exact],
             np.abs(exact).max()),
            ("blur=1.5", [ndimage.gaussian_filter(v, 1.5, mode="nearest", truncate=4) for v in exact],
             np.abs(exact).max())):
        error = np.abs(through(floats, chain) - np.array(want)).max() / size
        if not error < 1e-6:
            problems.append(f"{chain[:20]}: off by {error} of the largest sum")
    report("convolution, boxblur, blur of float32, SciPy")


TESTS = (scans, infinite_plane, opencv_closing, volumes, opencv_filter, ffmpeg_edges, opencv_details, scipy_blur,
         opencv_box, scipy_median, opencv_equalize, opencv_threshold, numpy_levels, exact_stats)


def run(test):
    """One test, in a process of its own: most of the time goes into starting programs."""
    global random
    random = np.random.default_rng(1)
    reports.clear()
    try:
        test()
    except (subprocess.SubprocessError, OSError, KeyError, ValueError) as error:
        problems.append(str(error))
        report(test.__name__)
    return list(reports)


cv2.setNumThreads(1)
number = failures = 0
with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
    for results in pool.imap(run, TESTS):
        for name, wrong in results:
            number += 1
            failures += bool(wrong)
            for text in wrong[:10]:
                print("#", text)
            print("not ok" if wrong else "ok", number, "-", name, flush=True)
sys.exit(failures > 0)
