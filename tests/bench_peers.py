"""runnel beside OpenCV and FFmpeg on this machine, in turns: medians, ratios, wins and losses.

Prints tables in Markdown; with --section, as the README's section on performance has them. `make bench-peers`
builds what it needs; ARGS=--help lists the options. A ratio is their time by ours: above 1 runnel is faster."""
import argparse  # SPDX-License-Identifier: MIT
import datetime
import json
import math
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNNEL = os.environ.get("RUNNEL", os.path.join(ROOT, "build", "runnel"))
PEER = os.environ.get("PEER", os.path.join(ROOT, "build", "release", "tests", "peer"))
SIZES = {"quick": (160, 90), "720p": (1280, 720), "1080p": (1920, 1080), "2160p": (3840, 2160)}

OUTLINE = [-1, -1, -1, -1, 8, -1, -1, -1, -1]
M3 = [1, -2, 3, -4, 5, -6, 7, -8, 9]
M5 = [1, 2, 0, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7]


def text(matrix):
    return " ".join(map(str, matrix))


def opencv():
    """OpenCV and NumPy; None, None without them."""
    try:
        import cv2
        import numpy as np
    except ImportError:
        return None, None
    return cv2, np


def opencv_cases(cv2, np):
    """name, chain, and what makes a call without arguments for a picture."""
    def matrix(m, side):
        k = np.array(m, np.float32).reshape(side, side) / (sum(m) or 1)
        return lambda i, o: lambda: cv2.filter2D(i, -1, k, dst=o)

    def square(side):
        return np.ones((side, side), np.uint8)

    def disk(r):
        y, x = np.mgrid[-r:r + 1, -r:r + 1]
        return (x * x + y * y <= r * r).astype(np.uint8)

    def close(element):
        return lambda i, o: lambda: cv2.morphologyEx(i, cv2.MORPH_CLOSE, element, dst=o)

    def median(side):
        return lambda i, o: lambda: cv2.medianBlur(i, side, dst=o)

    def blur(sigma):
        return lambda i, o: lambda: cv2.GaussianBlur(i, (0, 0), sigma, dst=o)

    def half(i):
        return int(np.iinfo(i.dtype).max) // 2

    table = np.clip((np.arange(256) - 16) * 255 / 219, 0, 255).astype(np.uint8)
    return [
        ("outline 3x3", "convolution=preset=outline", matrix(OUTLINE, 3)),
        ("convolution 3x3", f"convolution=matrix='{text(M3)}'", matrix(M3, 3)),
        ("convolution 5x5", f"convolution=matrix='{text(M5)}'", matrix(M5, 5)),
        *[(f"median {2 * r + 1}x{2 * r + 1}", f"median=radius={r}", median(2 * r + 1)) for r in (1, 2, 3, 5, 7)],
        ("dilation 3x3", "dilation=shape=square:radius=1",
         lambda i, o: lambda: cv2.dilate(i, square(3), dst=o)),
        *[(f"closing {2 * r + 1}x{2 * r + 1}", f"closing=shape=square:radius={r}", close(square(2 * r + 1)))
          for r in (1, 2, 7, 15)],
        *[(f"closing, disk of radius {r}", f"closing=shape=disk:radius={r}", close(disk(r))) for r in (7, 15)],
        *[(f"blur, sigma {s}", f"blur=sigma={s}", blur(s)) for s in (1, 2, 5, 20)],
        ("box 3x3", "boxblur=radius=1", lambda i, o: lambda: cv2.blur(i, (3, 3), dst=o)),
        ("equalize", "equalize", lambda i, o: lambda: cv2.equalizeHist(i, dst=o)),
        ("threshold by Otsu", "threshold=otsu=1",
         lambda i, o: lambda: cv2.threshold(i, 0, 255, cv2.THRESH_OTSU, dst=o)),
        ("levels", "levels=black=16:white=235", lambda i, o: lambda: cv2.LUT(i, table, dst=o)),
        ("threshold", "threshold=128", lambda i, o: lambda: cv2.threshold(i, half(i), 255, 0, dst=o)),
        ("invert", "invert", lambda i, o: lambda: cv2.bitwise_not(i, dst=o)),
        ("L2 norm, mean, variance", "stats=p=2",
         lambda i, o: lambda: (cv2.norm(i, cv2.NORM_L2), cv2.meanStdDev(i))),
    ]


class Ours:
    """tests/peer.c: passes frames when it is told to."""

    def __init__(self, device, threads):
        self.process = subprocess.Popen([PEER] + (["--device", device] if device else []), text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, "POCL_MAX_PTHREAD_COUNT": str(threads)})

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if answer in ("", "failed"):
            sys.exit(f"bench_peers: '{line}' failed")
        return answer

    def open(self, size, sample, chain):
        self.ask(f"open {size[0]} {size[1]} {sample} {chain}")

    def run(self, frames):
        return float(self.ask(f"pass {frames}"))

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def repeat(call, times):
    start = time.perf_counter()
    for _ in range(times):
        call()
    return time.perf_counter() - start


def fit(run, seconds):
    """How many times fill so many seconds; warms up."""
    run(1)
    n = 1
    while (t := run(n)) < seconds / 4 and n < 100000:
        n = max(2 * n, int(n * seconds / 2 / max(t, 1e-9)))
    return max(1, min(100000, int(n * seconds / t)))


def in_turns(runs, counts, rounds, of):
    """The seconds of one time of each: of (median, min) all rounds."""
    times = [[] for _ in runs]
    for _ in range(rounds):
        for k, run in enumerate(runs):
            times[k].append(run(counts[k]) / counts[k])
    return [of(t) for t in times]


def cell(ours, theirs):
    return f"{1e3 * ours:.3f} / {1e3 * theirs:.3f} | {theirs / ours:.2f}"


def geometric(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def summary(name, ratios):
    """ratios: (what, ratio)."""
    if not ratios:
        return
    wins = sum(r >= 1 for _, r in ratios)
    print(f"\n{name}: {wins} of {len(ratios)} won, geometric mean {geometric([r for _, r in ratios]):.2f}.")
    lost = sorted((r, what) for what, r in ratios if r < 1)
    worst, what = min((r, what) for what, r in ratios)
    print(f"Worst: {what} {worst:.2f}." if not lost else
          "Lost: " + ", ".join(f"{what} {r:.2f}" for r, what in lost) + ".")


def against_opencv(args):
    cv2, np = opencv()
    if not cv2:
        print("\nOpenCV is not installed (python3-opencv): left out.")
        return
    cv2.setNumThreads(args.threads)
    ours = Ours(args.device, args.threads)
    print(f"\n### OpenCV {cv2.__version__}, {cv2.getNumThreads()} threads; "
          "runnel's kernels by the device's clock, one frame in flight\n")
    sizes, depths = args.sizes.split(","), args.bits.split(",")
    if args.section:
        print("| ms a frame (ratio) | " + " | ".join(f"{s}, {b} bit" for b in depths for s in sizes) + " |")
        print("|---|" + "---|" * len(sizes) * len(depths))
    else:
        print("| ms a frame, ours / theirs, ratio | bits |" + "".join(f" {s} | |" for s in sizes))
        print("|---|---|" + "---|---|" * len(sizes))
    ratios = []
    of = min if args.best else statistics.median
    for name, chain, make in opencv_cases(cv2, np):
        if not any(word in name for word in args.only.split("|")):
            continue
        row = []
        for bits in map(int, depths):
            cells = []
            for s in sizes:
                w, h = SIZES[s]
                image = np.random.default_rng(1).integers(0, 2**bits, (h, w)).astype(f"uint{bits}")
                call = make(image, np.empty_like(image))
                try:
                    call()
                except cv2.error:
                    cells.append("-" if args.section else "- | -")
                    continue
                ours.open(SIZES[s], "gray" if bits == 8 else "gray16", chain)
                runs = [ours.run, lambda n, call=call: repeat(call, n)]
                mine, theirs = in_turns(runs, [fit(r, args.seconds) for r in runs], args.rounds, of)
                cells.append(f"{1e3 * mine:.3g} ({theirs / mine:.1f})" if args.section else cell(mine, theirs))
                ratios.append((f"{name} ({bits} bit, {s})", theirs / mine))
            row += cells
            if not args.section:
                print(f"| {name} | {bits} | " + " | ".join(cells) + " |", flush=True)
        if args.section:
            print(f"| {name} | " + " | ".join(row) + " |", flush=True)
    ours.close()
    summary("OpenCV", ratios)


def streams(cv2, np):
    """name, chain, width and height of gray frames, and what OpenCV calls for a picture i and a result o."""
    sharpen = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], np.float32)
    y, x = np.mgrid[-2:3, -2:3]
    disk, cross = (x * x + y * y <= 4).astype(np.uint8), cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))

    def three(i, o):
        cv2.morphologyEx(cv2.filter2D(i, -1, sharpen), cv2.MORPH_CLOSE, disk, dst=o)
        cv2.norm(o, cv2.NORM_L2), cv2.meanStdDev(o), cv2.minMaxLoc(o)

    return [("three stages, 720p", "convolution=preset=sharpen,closing=shape=disk:radius=2,stats", 1280, 720, three),
            ("closing, 512x512", "closing=shape=cross:radius=1", 512, 512,
             lambda i, o: cv2.morphologyEx(i, cv2.MORPH_CLOSE, cross, dst=o)),
            *[(f"{name}, 720p", chain, 1280, 720, lambda i, o, make=make: make(i, o)())
              for name, chain, make in opencv_cases(cv2, np) if name in ("levels", "threshold", "invert")]]


def frame_a_thread(call, images, results, frames, threads):
    def some(first):
        for k in range(first, frames, threads):
            call(images[k % len(images)], results[k % len(images)])
    workers = [threading.Thread(target=some, args=(k,)) for k in range(threads)]
    start = time.perf_counter()
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    return (time.perf_counter() - start) / frames


def streams_against_opencv(args):
    cv2, np = opencv()
    if not cv2:
        return
    cv2.setNumThreads(1)
    ours, ratios = Ours(args.device, args.threads), []
    print(f"\n### OpenCV, a frame a thread, {args.threads} threads; 8 bits, from a program's arrays and back\n\n"
          "| frames a second | runnel | OpenCV | ratio |\n|---|---|---|---|")
    for name, chain, w, h, call in streams(cv2, np):
        if not any(word in name for word in args.only.split("|")):
            continue
        frames = (100 << 20 if args.quick else 512 << 20) // (w * h)
        images = np.random.default_rng(1).integers(0, 256, (frames, h, w)).astype(np.uint8)
        results, mine, theirs = np.zeros_like(images), [], []
        for _ in range(args.rounds + 1):  # one before those that count
            mine.append(float(ours.ask(f"stream {frames} {w} {h} gray {chain}").split()[0]))
            theirs.append(frame_a_thread(call, images, results, frames, args.threads))
        m, t = statistics.median(mine[1:]), statistics.median(theirs[1:])
        print(f"| {name} | {1 / m:.0f} | {1 / t:.0f} | {t / m:.2f} |", flush=True)
        ratios.append((name, t / m))
    ours.close()
    cv2.setNumThreads(args.threads)
    summary("OpenCV, a frame a thread", ratios)


def ffmpeg_cases():
    """name, our chain, theirs, theirs through OpenCL or None; all of the luma plane alone."""
    still = ":".join(["0 0 0 0 1 0 0 0 0"] * 3)
    weights = text(OUTLINE)
    luma = "threshold1=0:threshold2=0:threshold3=0"
    one = f"convolution='{weights}:{still}'"
    return [
        ("decode alone", None, None, None),
        ("convolution 3x3", f"convolution=matrix='{weights}':planes=1", one,
         f"convolution_opencl='{weights}:{still}'"),
        ("prewitt", "prewitt=planes=1", "prewitt=planes=1", "prewitt_opencl=planes=1"),
        ("blur, sigma 1", "blur=sigma=1:planes=1", "gblur=sigma=1:planes=1", None),
        ("closing 3x3", "closing=shape=square:radius=1:planes=1", f"dilation={luma},erosion={luma}",
         f"dilation_opencl={luma},erosion_opencl={luma}"),
        ("median 3x3", "median=radius=1:planes=1", "median=radius=1:planes=1", None),
        ("six stages", "convolution=preset=gauss3:planes=1,sobel=planes=1,closing=shape=square:radius=1:planes=1,"
         "median=radius=1:planes=1,blur=sigma=1:planes=1,invert=planes=1",
         f"convolution='1 2 1 2 4 2 1 2 1:{still}:1/16',sobel=planes=1,dilation={luma},erosion={luma},"
         "median=radius=1:planes=1,gblur=sigma=1:planes=1,negate=components=y", None),
    ]


def command(args, limit):
    start = time.perf_counter()
    try:
        done = subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        print(f"<!-- {' '.join(args)}: {done.stderr.decode(errors='replace').strip()[-300:]} -->")
        return None
    return time.perf_counter() - start


def list_devices(device):
    """With * at the one that runnel takes."""
    return subprocess.run([RUNNEL, "devices"] + (["-d", device] if device else []), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def make_clip(folder, size, frames):
    clip = os.path.join(folder, "clip.mp4")
    made = command(["ffmpeg", "-v", "error", "-f", "lavfi", "-i",
                    f"testsrc2=size={size[0]}x{size[1]}:rate=30,noise=alls=8", "-frames:v", str(frames),
                    "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", clip], 600)
    return clip if made else None


def ffmpeg_command(clip, frames, chain, place=None):
    words = ["ffmpeg", "-v", "error", "-nostdin"]
    if place:
        words += ["-init_hw_device", f"opencl=ocl:{place}", "-filter_hw_device", "ocl"]
        chain = f"format=yuv420p,hwupload,{chain},hwdownload,format=yuv420p"
    words += ["-i", clip, "-an", "-frames:v", str(frames)]
    return words + (["-vf", chain] if chain else []) + ["-f", "null", "-"]


def runnel_command(clip, frames, chain, device):
    words = [RUNNEL, "render", clip, "null:", "-q", "--frames", str(frames)]
    return words + (["-f", chain] if chain else []) + (["-d", device] if device else [])


def process_turns(commands, rounds, limit):
    """The median seconds of each; None where it fails or takes too long."""
    times = [[] for _ in commands]
    for i in range(rounds + 1):  # one before those that count: caches of files and kernels
        for k, c in enumerate(commands):
            if times[k] is None or not c:
                continue
            t = command(c, limit)
            if t is None:
                times[k] = None
            elif i:
                times[k].append(t)
    return [statistics.median(t) if t else None for t in times]


def against_ffmpeg(args):
    if not shutil.which("ffmpeg"):
        print("\nFFmpeg is not installed: left out.")
        return
    version = subprocess.run(["ffmpeg", "-version"], text=True, stdout=subprocess.PIPE).stdout.split()[2]
    found = None if "opencl" in args.skip else re.search(r"^\* +\d+ +(\d+):(\d+)", list_devices(args.device), re.M)
    place = f"{found[1]}.{found[2]}" if found else None
    size = SIZES["quick" if args.quick else "720p"]
    counts = [int(n) for n in args.frames.split(",")]
    print(f"\n### FFmpeg {version}, whole processes, {size[0]}x{size[1]} H.264 to nothing\n")
    print("| seconds | frames | runnel | FFmpeg | ratio | its OpenCL | ratio |\n|---|---|---|---|---|---|---|")
    ratios, ratios_cl = [], []
    with tempfile.TemporaryDirectory(prefix="runnel-peers-") as folder:
        clip = make_clip(folder, size, max(counts))
        if not clip:
            sys.exit("bench_peers: ffmpeg cannot make a clip")
        for name, mine, theirs, theirs_cl in ffmpeg_cases():
            for frames in counts if any(word in name for word in args.only.split("|")) else []:
                cl = ffmpeg_command(clip, frames, theirs_cl, place) if theirs_cl and place else None
                t = process_turns([runnel_command(clip, frames, mine, args.device),
                                   ffmpeg_command(clip, frames, theirs), cl], args.rounds, args.limit)
                if not t[0]:
                    sys.exit(f"bench_peers: runnel fails: {name}")
                shown = [f"{x:.2f}" if x else "-" for x in t]
                ratio = [f"{x / t[0]:.2f}" if x else "-" for x in t]
                print(f"| {name} | {frames} | {shown[0]} | {shown[1]} | {ratio[1]} | {shown[2]} | {ratio[2]} |",
                      flush=True)
                if mine and t[1]:
                    ratios.append((f"{name} ({frames} frames)", t[1] / t[0]))
                if mine and t[2]:
                    ratios_cl.append((f"{name} ({frames} frames)", t[2] / t[0]))
    summary("FFmpeg", ratios)
    summary("FFmpeg's OpenCL filters", ratios_cl)


# ---- PyTorch

def torch_calls(torch):
    """The primitives of networks as PyTorch has them, on what `runnel bench --suite network` takes."""
    f = torch.nn.functional
    a, b = torch.rand(1024, 1025), torch.rand(1025, 1024)
    at, bt = a.t().contiguous(), b.t().contiguous()
    x, y, row = torch.rand(784 * 64, 16), torch.rand(784 * 64, 16), torch.rand(16)
    flat, small, large = torch.rand(784, 1024), torch.rand(784, 16, 8, 8), torch.rand(784, 16, 16, 16)
    columns, out = f.unfold(small, 3, padding=1), torch.empty_like(x)
    return {"matmul": lambda: a @ b, "matmul_at": lambda: at.t() @ b, "matmul_bt": lambda: a @ bt.t(),
            "add": lambda: torch.add(x, y, out=out), "add_row": lambda: torch.add(x, row, out=out),
            "multiply": lambda: torch.mul(x, y, out=out), "axpy": lambda: torch.add(y, x, alpha=0.7, out=out),
            "row_sum": lambda: flat.sum(1), "col_sum": lambda: flat.sum(0),
            "im2col": lambda: f.unfold(small, 3, padding=1), "col2im": lambda: f.fold(columns, (8, 8), 3, padding=1),
            "max_pool": lambda: f.max_pool2d(large, 2), "relu": lambda: torch.relu(x),
            "sigmoid": lambda: torch.sigmoid(x), "softmax": lambda: torch.softmax(flat, 1)}


def against_torch(args):
    try:
        import torch
    except ImportError:
        print("\nPyTorch is not installed: left out.")
        return
    torch.set_num_threads(args.threads)
    line = [RUNNEL, "bench", "--suite", "network", "--json", *(["-d", args.device] if args.device else [])]
    rows = json.loads(subprocess.run(line, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)["rows"]
    print(f"\n### PyTorch {torch.__version__}, {args.threads} threads: primitives of networks, in memory\n")
    print("| primitive | size | runnel, ms | PyTorch, ms | ratio |\n|---|---|---|---|---|")
    calls, ratios = torch_calls(torch), []
    for row in rows:
        if row["name"] in calls:
            call = calls[row["name"]]
            n = fit(lambda times: repeat(call, times), args.seconds)
            theirs = statistics.median(repeat(call, n) / n for _ in range(args.rounds))
            ours = row["ours_s"]["median"]
            print(f"| {row['name']} | {row['size']} | {1e3 * ours:.3f} | {1e3 * theirs:.3f} | {theirs / ours:.2f} |", flush=True)
            ratios.append((row["name"], theirs / ours))
    summary("PyTorch", ratios)


# ---- the machine

def processor():
    try:
        with open("/proc/cpuinfo") as f:
            return re.search(r"model name\s*: (.*)", f.read())[1]
    except (OSError, TypeError):
        return platform.processor() or platform.machine()


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--device", default=os.environ.get("RUNNEL_DEVICE", ""), help="as runnel's -d")
    p.add_argument("--rounds", type=int, default=5, help="turns of each (5)")
    p.add_argument("--best", action="store_true", help="OpenCV: of all turns the best, not the median: where others "
                   "use the machine, too")
    p.add_argument("--seconds", type=float, default=0.15, help="of each turn of a filter (0.15)")
    p.add_argument("--sizes", default="720p,1080p,2160p")
    p.add_argument("--bits", default="8,16")
    p.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of OpenCV, and of PoCL (all)")
    p.add_argument("--frames", default="10,300,2100", help="of the clips")
    p.add_argument("--limit", type=float, default=300, help="seconds after which a process is left out (300)")
    p.add_argument("--only", default="", help="cases with this in their name; several: a|b")
    p.add_argument("--skip", default="", help="opencv, streams, ffmpeg, opencl, torch: leave these out")
    p.add_argument("--section", action="store_true", help="the README's section on performance: narrower tables")
    p.add_argument("--quick", action="store_true", help="small sizes, to see that all works")
    args = p.parse_args()
    if args.quick:
        args.rounds, args.seconds, args.sizes, args.frames = 1, 0.001, "quick", "3"
    place = list_devices(args.device)
    driver = re.search(r"^\*.*$\n^.*(driver [^,\n]+)", place, re.M)
    name = re.search(r"^\*.*(?:mapped|copied)\s+(.*)$", place, re.M)
    if args.section:
        print(f"## Performance\n\nWhat `make bench-peers ARGS='{' '.join(sys.argv[1:])}'` printed: all in turns; "
              f"{'of OpenCV the best turns, else ' if args.best else ''}medians.\nA ratio is their time by ours: above "
              "1 runnel is faster.\n")
    print(f"{datetime.date.today()}, {processor()}, {len(os.sched_getaffinity(0))} CPUs; "
          f"OpenCL: {name[1] if name else 'none'}{', ' + driver[1] if driver else ''}.")
    if "opencv" not in args.skip:
        against_opencv(args)
    if "streams" not in args.skip:
        streams_against_opencv(args)
    if "ffmpeg" not in args.skip:
        against_ffmpeg(args)
    if "torch" not in args.skip and not args.quick:
        against_torch(args)


main()
