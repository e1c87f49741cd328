"""The binding for Python: binding.py TEST [ARGUMENT]. What is wrong is an exception, whose last line the caller shows."""
import ast  # SPDX-License-Identifier: MIT
import gc
import json
import os
import resource
import subprocess
import sys
import threading
import warnings
import weakref

import numpy as np

import runnel
import runnel.filter

root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
rng = np.random.default_rng(5)
STACKS = {"u8": rng.integers(0, 256, (5, 37, 53), "u1"), "u16": rng.integers(0, 4096, (5, 37, 53), "u2"),
          "i16": rng.integers(-1024, 3000, (5, 37, 53), "i2"), "f32": rng.normal(100, 300, (5, 37, 53)).astype("f4"),
          "rgb": rng.integers(0, 256, (3, 20, 31, 3), "u1")}
CHAINS = {"convolution": "preset=sharpen", "custom": f"{root}/media/sharpen.cl",
          "network": f"{root}/media/denoise.safetensors", "format": "grayf32", "erosion": "slices=1"}


def program(*words):
    return subprocess.run([os.environ["RUNNEL"], *words], capture_output=True, text=True)


def refused(code, words, fn, *args, **kw):
    try:
        fn(*args, **kw)
    except runnel.Error as e:
        assert e.code == code and words in str(e) and "\n" not in str(e), (e.code, str(e))
    except (BufferError, TypeError, ValueError) as e:
        assert code is type(e), repr(e)
    else:
        raise AssertionError(f"{words or args}: not refused")


def equal(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def filters(whole):
    """Each filter gives the samples that render gives, or both refuse: on one type in turn in plain C, or on all types."""
    n, device = 0, "0" if whole else "none"
    for name, stack in STACKS.items():
        np.save(name, stack)
    for i, f in enumerate(runnel.filters()):
        chain = f["name"] + ("=" + CHAINS[f["name"]] if f["name"] in CHAINS else "")
        for k, (name, stack) in enumerate(STACKS.items()):
            if not whole and (i + k) % len(STACKS):
                continue
            run = program("render", name + ".npy", "out.npy", "-y", "-q", "-d", device, "-f", chain)
            try:
                got = runnel.apply(stack, chain, device, colour=name == "rgb")
            except runnel.Error as e:
                assert run.returncode == e.code and str(e)[:40] in run.stderr, (chain, name, str(e), run.stderr)
                continue
            assert run.returncode == 0 and equal(got, np.load("out.npy")), (chain, name, run.stderr)
            n += 1
    assert n >= (100 if whole else 20), n


def ways():
    """Other ways to the same samples: a stream, plain C, other strides, whatever has a buffer, a function."""
    stack, chain = STACKS["u16"], "median=2,closing=shape=disk:radius=2:slices=1"
    want = runnel.apply(stack, chain)
    assert equal(want, runnel.apply(stack, chain, "none"))
    assert equal(want, np.stack(list(runnel.stream(chain, iter(stack)))))
    assert equal(want, runnel.apply(np.asfortranarray(stack)[:, ::-1][:, ::-1], chain))
    with runnel.Runner(chain, stack.shape[1:], stack.dtype) as runner:
        assert not runner._pass(np.asfortranarray(stack), out := np.empty_like(stack))
        assert runner._pass(stack, out) and equal(want, out)
    assert equal(runnel.apply(stack[0], "invert"), runnel.apply(memoryview(stack[0]), "invert"))
    assert equal(runnel.filter.median(stack, radius=2, border="wrap"), runnel.apply(stack, "median=2:border=wrap"))
    with open("it's, [a]:b\\;c.pgm", "wb") as f:
        f.write(b"P5 53 37 255\n" + bytes(53 * 37))
    assert equal(runnel.filter.invert(stack, region="mask", mask=f.name), stack)
    assert list(runnel.stream("invert", [])) == []


def tables():
    """filters(), devices() and what is measured are what the program says; types and the manifest follow from them."""
    known, devices = (json.loads(program(words, "--json").stdout)[words] for words in ("filters", "devices"))
    assert runnel.filters() == known and runnel.devices() == [{k: d[k] for k in d if k != "taken"} for d in devices]
    for name, stack in STACKS.items():
        np.save(name, stack)
        keys, *rows = (line.split(",") for line in program("stats", name + ".npy", "-q", "-d", "none").stdout.splitlines())
        _, got = runnel.apply(stack, "stats", "none", colour=name == "rgb", stats=True)
        got = [row for one in got for row in (one if isinstance(one, list) else [one])]
        for row, want in zip(got, rows, strict=True):
            have = ["" if row.get(k) is None else str(row[k]) if isinstance(row[k], int) else "%.10g" % row[k] for k in keys]
            assert have[:1] + have[2:] == want[:1] + want[2:], (name, have, want) # but for the time
    folder = os.path.dirname(runnel.__file__)
    with open(folder + "/filter.pyi") as f, open(folder + "/napari.json") as g:
        stubs = {d.name: [a.arg for a in d.args.kwonlyargs] for d in ast.parse(f.read()).body if isinstance(d, ast.FunctionDef)}
        parts = json.load(g)["contributions"]
    assert stubs == {f["name"]: [p["name"] for p in f["parameters"]] for f in known}
    for f, command, widget in zip(known, parts["commands"], parts["widgets"], strict=True):
        module, name = command["python_name"].split(":")
        run = getattr(__import__(module, fromlist=[name]), name)
        shown = {p["name"]: p["default"] for p in f["parameters"] if p["name"] in run.__annotations__}
        assert name == f["name"] and widget["command"] == command["id"] and "enable" not in shown
        assert all(run.__annotations__[k].__args__[0] is type(v) for k, v in shown.items())
        assert name in CHAINS or equal(run(STACKS["u8"], **shown), runnel.apply(STACKS["u8"], name))


def bad():
    """Bad calls are exceptions in one line with a status, and nothing crashes."""
    a, apply, stream, Runner = np.zeros((8, 9), "u1"), runnel.apply, runnel.stream, runnel.Runner
    refused(2, "prewitt roberts sharpen sobel stats threshold tophat", apply, a, "nosuch") # to its end
    refused(2, "out of range", apply, a, "median=99")
    for kind, cast in (("f8", "float32"), (">u2", "uint16"), ("?", "uint8"), ("i8", "int16")):
        refused(2, f"array.astype('{cast}')", apply, a.astype(kind), "invert")
    refused(2, "are ([slices,] rows, columns)", apply, a[0], "invert")
    refused(2, "not (0, 8, 9)", apply, a[None][:0], "invert")
    refused(2, "is no type of samples", apply, "text", "invert")
    refused(5, "no OpenCL device fits", apply, a, "invert", "nosuchdevice")
    refused(2, "end with format=gbrp", apply, np.zeros((8, 8, 3), "u1"), "format=yuv420p", colour=True)
    refused(2, "not 8 x 9", list, stream("invert", [a, a.T]))
    refused(2, "not 8 x 9", list, stream("invert", [a, a.astype("u2")]))
    refused(2, "pictures are", Runner, "invert", (8,))
    refused(2, "pictures are", Runner, "invert", (8, 9), "float64")
    refused(2, "", Runner, "invert", (8, 10**6))
    refused(3, "No such file", runnel.open, "nosuch.nii")
    refused(4, "exists", runnel.write, f"{root}/media/scan.tif", a[None])
    for wrong, error in (((), TypeError), (("invert", 3), TypeError), (("invert\0", (8, 9)), ValueError)):
        refused(error, "", Runner, *wrong)


def slots():
    """Slots are memory without copies; stale ones refuse, and none changes hands while an array shows it."""
    a = np.zeros((8, 9), "u1")
    with runnel.Runner("invert", (8, 9), device=os.environ.get("DEVICE"), inflight=3) as r:
        for _ in range(3): # inputs
            for i in range(r.slots):
                slot = r.slot()
                held = np.asarray(slot)
                held[:] = i
                held = held[1:3, 2:] # a part keeps the memory as the whole does
                refused(BufferError, "", r.submit, slot)
                del held
                r.submit(slot)
                refused(2, "stale", memoryview, slot)
                refused(2, "stale", slot.__setitem__, ..., a)
            refused(2, "no slot is free", r.slot)
            for i in range(r.slots):
                out = r.wait()
                view = np.asarray(out)
                assert (view == 255 - i).all() and not view.flags.writeable
                refused(2, "read only", out.__setitem__, ..., a)
                refused(BufferError, "", r.wait)
                del view
            r.drain()
            assert r.wait() is None
            refused(2, "stale", out.take, a)
        for last in (False, True):
            slot = r.slot()
            slot[...] = a
            r.submit(slot)
            if not last: # one that is kept while its input ends
                kept = r.slot()
                r.drain()
                refused(2, "stale", r.submit, kept)
            out = np.asarray(r.wait())
            if not last:
                del out
                assert r.wait() is None
    assert (out[2:] == 255).all() # alive until the array is gone, though the runner is closed
    refused(2, "closed", r.slot)
    r.kept, gone = slot, weakref.ref(r) # a cycle
    del r, slot, out, kept
    gc.collect()
    assert gone() is None
    with runnel.Runner("noise=gaussian:sigma=9", (8, 9), device="none", stats=True) as r: # inputs count their frames anew
        runs = [[(x.tobytes(), row["frame"]) for x, row in r._results([a, a], None, True)] for _ in range(2)]
    assert runs[0] == runs[1] and [n for _, n in runs[1]] == [0, 1]


def threads():
    """Other threads run while the engine works, and may use it, too."""
    seen, work = [], threading.Thread(target=runnel.apply, args=(np.zeros((900, 900), "u1"), "median=3", "none"))
    work.start()
    while work.is_alive():
        seen.append(work.join(0.001))
    several = [threading.Thread(target=runnel.apply, args=(STACKS["u8"], "blur,median=3")) for _ in range(4)]
    for step in (threading.Thread.start, threading.Thread.join):
        list(map(step, several))
    assert len(seen) > 2, seen


def memory():
    """2,000 slices stay within the slots."""
    slices, at = (np.full((96, 128), i, "u2") for i in range(2000)), 0
    for i, (out, row) in enumerate(runnel.stream("closing=slices=1,invert", slices, stats=True)):
        assert row["frame"] == i and (abs(65535 - i - out.astype(int)) <= 1).all(), i
        at = at if i > 200 else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - at
    assert i == 1999 and (grown < 2048 or os.environ["VARIANT"] != "release"), grown


def files():
    """open() and write() carry samples and what describes them through the program."""
    for name, stack in STACKS.items():
        scan = {"spacing": (2, 1, 1.5), "slope": 2.0, "intercept": -1000.0, "unit": "HU"} if name == "i16" else {}
        runnel.write(name + ".nrrd", stack, **scan)
        with runnel.open(name + ".nrrd") as pictures:
            assert {k: pictures.scan[k] for k in scan} == scan and equal(np.stack(list(pictures)), stack), name
    assert equal(np.stack(list(runnel.open("u8.nrrd", "invert", from_="1f", frames=2))), 255 - STACKS["u8"][1:3])
    with runnel.open("i16.nrrd", "threshold=level=0hu", rotate=90, crop="9x9") as pictures: # of what comes, not what is read
        assert pictures.scan == {"slope": 0, "intercept": 0, "unit": "", "spacing": (2, 1.5, 1)}, pictures.scan
    with runnel.open("u16.nrrd", scale="26x18") as pictures:
        assert pictures.scan["spacing"] is None and pictures.shape == (18, 26)
    runnel.write("-u8.nrrd", STACKS["u8"]) # no option
    assert equal(np.stack(list(runnel.open("-u8.nrrd"))), STACKS["u8"])
    refused(2, "chain file 'denoise'", runnel.apply, STACKS["u8"], "@denoise")
    os.makedirs("settings/runnel", 0o700)
    with open("settings/runnel/config", "w") as f: # is for who types commands
        f.write("filters invert\nframes 1\n")
    os.environ["XDG_CONFIG_HOME"] = os.path.realpath("settings")
    runnel.write("one.png", STACKS["rgb"][0])
    assert equal(np.stack(list(runnel.open("one.png"))), STACKS["rgb"][:1])
    runnel.write("rgb.mkv", STACKS["rgb"], fps=5, codec="ffv1")
    assert equal(np.stack(list(runnel.open("rgb.mkv"))), STACKS["rgb"])
    assert next(iter(runnel.open(f"{root}/media/clip.mp4"))).shape == (720, 1280, 3) # and the rest is left


def without():
    """No OpenCL, one warning, the same samples."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        for _ in range(2):
            assert equal(runnel.apply(STACKS["u8"], "invert"), 255 - STACKS["u8"])
    assert len(heard) == 1 and "no OpenCL platform" in str(heard[0].message) and runnel.devices() == [], heard


globals()[sys.argv[1]](*sys.argv[2:])
