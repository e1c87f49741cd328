"""Walks the calls that runnel makes, lets each fail in a run of its own, and looks at what comes of
it: faults.py PROGRAM FAULTS.SO FOLDER KNOWN; FOLDER holds the inputs, KNOWN what is not runnel's.

First every case runs once without a fault and once recorded: which calls there are, and from where (the
stack). Calls from a place that no other case has reached yet come first, then all other calls. After
FAULTS_SECONDS (500) it ends; FULL=1 walks all. FAULTS_ONLY='words' takes only those cases and
kinds, FAULTS_SEED another order, FAULTS_CALLERS=own leaves the libraries' own calls out. FAULTS_ONE='CASE KIND
CALLERS N' looks at a single fault, and FAULTS_KEEP=FOLDER copies what that run left.

What has to hold of a run with a fault:
- it ends, by itself, with a status that the README lists;
- 0 only where every output is what it is without the fault;
- else something was said, in few lines, none of them twice;
- every output is the old one or the new one, whole, and nothing else lies about."""
import json  # SPDX-License-Identifier: MIT
import os
import random
import re
import shutil
import subprocess
import sys
import time

PROGRAM, LIBRARY, FOLDER, KNOWN = (os.path.abspath(a) for a in sys.argv[1:5])
SECONDS = float(os.environ.get("FAULTS_SECONDS", 500))
FULL = os.environ.get("FULL", "0") not in ("", "0")
ONLY = os.environ.get("FAULTS_ONLY", "").split()
CALLERS = os.environ.get("FAULTS_CALLERS", "own lib").split()
PATIENCE = 20
OLD = b"what stood here before\n"
OWN = "runnel", "runnel-media.so", "runnel-dicom.so", "runnel-mat.so"
STATUS = range(7)
MOST_LINES = 5

# name: arguments, outputs; HERE is the run's own folder, IN that of the inputs. The outputs exist before
# the run, but for those of a name with a number.
CASES = {
    "mp4": ("render IN/clip.mp4 o.mp4 -q -d none -y -f invert", "o.mp4"),
    "mkv": ("render IN/clip.mkv o.mkv -q -d none -y --codec ffv1 -f erosion", "o.mkv"),
    "ts": ("render IN/sound.mp4 o.ts -q -d none -y", "o.ts"),
    "gif": ("render IN/clip.mp4 o.gif -q -d none -y", "o.gif"),
    "stack": ("render IN/stack.tif o.tif -q -d none -y -f closing=slices=1", "o.tif"),
    "png": ("render IN/scan_%d.png o%d.png -q -d none -y -f median", "o0.png o1.png o2.png"),
    "picture": ("render IN/scan_1.png o.png -q -d none -y", "o.png"),
    "y4m": ("render - - -q -d none -f boxblur", "", "clip.y4m"),
    "md5": ("render IN/clip.mp4 md5: -d none -f noise,equalize", ""),
    "csv": ("stats IN/clip.mp4 -d none", ""),
    "table": ("render IN/stack.tif null: -q -d none -y -f stats=file=o.csv", "o.csv"),
    "reports": ("render IN/stack.tif o.tif -d none -y --metrics m.json --progress p.jsonl"
                " -f threshold=otsu=1", "o.tif m.json p.jsonl"),
    "dicom": ("render IN/scan.dcm o.tif -q -d none -y", "o.tif"),
    "derived": ("render IN/scan.dcm o%d.dcm -q -d none -y", ""),
    "worker": ("render IN/scan.dcm o.tif -q -d none -y", "o.tif"),
    "nifti": ("render IN/scan.nii.gz o.nii.gz -q -d none -y -f dilation", "o.nii.gz"),
    "nrrd": ("render IN/scan.nrrd o.nrrd -q -d none -y", "o.nrrd"),
    "mha": ("render IN/scan.mha o.mha -q -d none -y", "o.mha"),
    "npy": ("render IN/scan.npy o.npy -q -d none -y", "o.npy"),
    "info": ("info IN/clip.mp4 --json", ""),
    "scan": ("info IN/scan.dcm --json", ""),
    "chain": ("render IN/clip.y4m null: -q -d none -f @IN/a.chain", ""),
    "matrix": ("render IN/stack.tif md5: -q -d none -f convolution=file=IN/m.txt,blur", ""),
    "replay": ("render IN/clip.y4m md5: -q -d none --replay IN/r.jsonl", ""),
    "range": ("render IN/clip.mkv md5: -q -d none --from 0.04 --to 2f -f format=yuv444p10,levels=gamma=2",
              ""),
    "graph": ("render IN/clip.mp4 md5: -q -d none --deinterlace frame:all --rotate 90 --crop 24x20+2+4"
              " --scale 16x12", ""),
    "lavfi": ("render lavfi:testsrc2=s=16x16 md5: -q -d none --frames 2", ""),
    "device": ("render IN/stack.tif o.tif -y -f median,closing=slices=1,stats=file=o.csv", "o.tif o.csv"),
    "kernel": ("render IN/clip.y4m md5: -q -f custom=IN/k.cl,blur,sobel,threshold=otsu=1,equalize", ""),
    "pool": ("render IN/clip.y4m md5: -q -y -d 0,1 -f erosion,stats=file=o.csv", "o.csv"),
    "devices": ("devices", ""),
}
ON_DEVICE = ("device", "kernel", "pool", "devices")


class Case:
    def __init__(self, name, args, outputs, stdin=None):
        self.name = name
        self.args = args.replace("IN/", FOLDER + "/").split()
        self.outputs = outputs.split()
        self.stdin = f"{FOLDER}/{stdin}" if stdin else os.devnull
        self.expected = None

    def run(self, kind, n=0, callers="own", rest=False):
        """Runs it in a folder of its own; what came of it."""
        shutil.rmtree("run", ignore_errors=True)
        os.makedirs("run/tmp")
        for name in self.outputs:
            with open(f"run/{name}", "wb") as f:
                f.write(OLD)
        env = dict(os.environ, LD_PRELOAD=LIBRARY, FAULTS_KIND=kind, FAULTS_N=str(n),
                   FAULTS_CALLERS=callers, FAULTS_REPORT=os.path.abspath("report"),
                   TMPDIR=os.path.abspath("run/tmp"))
        env.update({"FAULTS_REST": "1"} if rest else {})
        env.update({"FAULTS_WORKER": "1"} if self.name == "worker" else {})
        env.update({"POCL_DEVICES": "pthread pthread"} if self.name == "pool" else {})
        if os.path.exists("report"):
            os.remove("report")
        with open(self.stdin, "rb") as source:
            try:
                done = subprocess.run([PROGRAM] + self.args, cwd="run", env=env, stdin=source,
                                      timeout=PATIENCE, capture_output=True, check=False)
                return Result(done.returncode, done.stdout, done.stderr)
            except subprocess.TimeoutExpired as e:
                return Result(None, e.stdout or b"", e.stderr or b"")


class Result:
    def __init__(self, status, out, err):
        self.status, self.out = status, out
        self.err = err.decode("utf-8", "replace")
        self.files = {}
        for folder, _, names in os.walk("run"):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as f:
                    self.files[os.path.relpath(path, "run")] = f.read()
        self.lines = []
        if os.path.exists("report"):
            with open("report", "rb") as f:
                self.lines = [line.split() for line in f.read().rstrip(b"\0").decode().splitlines()]

    def reported(self, what):
        return next((line for line in self.lines if line[0] == what), None)


# ---- whether two outputs are the same


def streams_of(data):
    """The packets of a media file, whose headers may hold a random number."""
    with open("probe", "wb") as f:
        f.write(data)
    command = "ffmpeg -v error -i probe -map 0 -c copy -f streamhash -".split()
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).stdout


def members(value):
    """The names of all that is in a JSON value, and which of them are null."""
    if isinstance(value, dict):
        return {k: members(v) for k, v in value.items()}
    if isinstance(value, list):
        return [members(v) for v in value]
    return value is None


def essence(name, data):
    if data == OLD:
        return data
    try:
        if name.endswith(".mkv"):
            return streams_of(data)
        if name == "m.json":
            return members(json.loads(data))
        if name == "p.jsonl": # its last line tells the end
            return members(json.loads(data.splitlines()[-1]))
    except (ValueError, IndexError):
        return data
    return data


def same(name, a, b):
    return a == b or essence(name, a) == essence(name, b)


def printed(case, out):
    """What a run said on stdout; how much memory a device has depends on what else runs here."""
    return re.sub(rb"[0-9.]+ [KMGT]iB|[ \t]+", b" ", out) if case.name == "devices" else out


# ---- what has to hold


def judge(case, got):
    """What is wrong with a run: a list of words."""
    wrong, want = [], case.expected
    if got.status is None:
        return ["it did not end"]
    if got.status not in STATUS:
        wrong.append(f"status {got.status}")
    # What a message names is no litter, nor is the table up to the error; where the program has died
    # nothing can be expected of what it had begun.
    litter = {f for f in set(got.files) - set(want.files)
              if not re.search(r"\.partial\.[a-z0-9]+$", f) and f"'{f}'" not in got.err}
    if litter and got.status >= 0:
        wrong.append("litter: " + " ".join(sorted(litter)))
    errors = [line for line in got.err.splitlines() if re.match(r"runnel: (error|warning|fatal)", line)]
    if got.status > 0 and not any("error" in line for line in errors):
        wrong.append("nothing was said")
    if len(errors) > MOST_LINES + len([e for e in want.err.splitlines() if "warning" in e]):
        wrong.append(f"{len(errors)} messages")
    twice = {line for line in errors if errors.count(line) > 1 and "frame" not in line}
    if twice and got.status >= 0:
        wrong.append(f"said twice: {twice.pop()}")
    for name in case.outputs:
        if name not in got.files:
            wrong.append(f"{name} is lost")
        elif got.status != 6 and not (got.status != 0 and got.files[name] == OLD) and \
                not same(name, got.files[name], want.files[name]) and \
                not (got.status != 0 and name in ("m.json", "p.jsonl") and is_report(name, got.files[name])):
            wrong.append(f"{name} is not whole")
    if got.status == 0 and printed(case, got.out) != printed(case, want.out):
        wrong.append("stdout differs")
    return wrong


def is_report(name, data):
    """A report of a run that failed need not have everything, but is one."""
    try:
        for line in data.splitlines() if name == "p.jsonl" else [data]:
            json.loads(line)
    except ValueError:
        return False
    return True


def named(place):
    """OBJECT+OFFSET as function and line, of the program's own; the address is behind the call."""
    thing, _, offset = place.partition("+")
    if thing not in OWN or not offset:
        return place
    path = os.path.join(os.path.dirname(PROGRAM), thing)
    out = subprocess.run(["addr2line", "-f", "-s", "-e", path, hex(int(offset, 16) - 1)],
                         capture_output=True, text=True, check=False).stdout.split()
    return f"{out[0]} ({out[1]})" if len(out) > 1 else place


def stack_of(places):
    """The calls of a stack as one line; of each library only the innermost, with the number of all."""
    calls = []
    for place in places:
        if place.startswith("libc.so"):
            continue
        thing = place.partition("+")[0]
        if calls and calls[-1][0] == thing and thing not in OWN:
            calls[-1][2] += 1
        elif not calls or calls[-1][1] != place:
            calls.append([thing, place, 1])
    return " < ".join(named(place) + (f" ({n})" if n > 1 else "") for _, place, n in calls[:9])


def story(got):
    """Where the fault struck, and where the program died."""
    lines = []
    for what, skip in ("struck", 5), ("crash", 2):
        line = got.reported(what)
        if line:
            lines.append(f"{' '.join(line[:skip])}: {stack_of(line[skip:])}")
    return lines


def known_as(patterns, wrong, got):
    text = "; ".join(wrong) + " | " + " | ".join(story(got)) + " | " + got.err
    return next((p for p in patterns if p.search(text.replace("\n", " "))), None)


# ---- the walk


def record(case):
    """All calls of a case: (kind, callers, n, stack)."""
    lines = case.run("record").lines
    return [(w[1], w[2], int(w[3]), " ".join(w[4:])) for w in lines if w[0] == "call"]


def plan(cases):
    """Which calls are made to fail, the most telling first: (case, kind, n, callers, rest)."""
    seen, fresh, others = set(), [], []
    kinds = set(ONLY) - set(CASES)
    for case in cases:
        on_device = case.name in ON_DEVICE
        case.expected = case.run("none")
        if case.expected.status != 0:
            print(f"not ok - {case.name}: status {case.expected.status} without a fault: {case.expected.err}")
            sys.exit(1)
        calls = record(case)
        for kind, callers, n, stack in calls:
            if callers not in CALLERS or (kinds and kind not in kinds):
                continue
            place = (kind, stack, case.name == "worker")
            if place not in seen:
                seen.add(place)
                fresh.append((callers != "own", on_device, random.random(), (case, kind, n, callers, False)))
                if kind in ("alloc", "write", "open") and callers == "own":
                    others.append((0, random.random(), (case, kind, n, callers, True)))
            else:
                others.append((1, random.random(), (case, kind, n, callers, False)))
    fresh.sort(key=lambda t: t[:3])
    others.sort(key=lambda t: t[:2])
    return [t[-1] for t in fresh], [t[-1] for t in others]


def read_known():
    with open(KNOWN, encoding="utf-8") as f:
        return [re.compile(line.strip()) for line in f if line.strip() and not line.startswith("#")]


def walk(tasks, patterns, deadline):
    """Prints what is wrong, each kind of it once; how many were run, how often each known one was met."""
    done, bad, met, told, missed = 0, 0, {}, set(), 0
    for case, kind, n, callers, rest in tasks:
        if not FULL and time.monotonic() > deadline:
            break
        done += 1
        got = case.run(kind, n, callers, rest)
        struck = got.reported("struck")
        missed += not struck
        wrong = judge(case, got)
        if not wrong:
            continue
        pattern = known_as(patterns, wrong, got)
        if pattern:
            met[pattern.pattern] = met.get(pattern.pattern, 0) + 1
            continue
        bad += 1
        key = (tuple(re.sub(r"[0-9]+", "N", w) for w in wrong), tuple(struck[2:8] if struck else ()))
        if key in told:
            continue
        told.add(key)
        print(f"# {case.name} {kind} {callers} {n}{' and after' if rest else ''}: {'; '.join(wrong)}")
        for line in story(got) + got.err.splitlines()[:MOST_LINES]:
            print(f"#     {line}")
        sys.stdout.flush()
    return done, bad, met, missed


def look(one):
    """A single fault, with all that is known of it."""
    name, kind, callers, n = one.split()
    case = Case(name, *CASES[name])
    case.expected = case.run("none")
    got = case.run(kind, int(n), callers)
    if os.environ.get("FAULTS_KEEP"):
        shutil.copytree("run", os.environ["FAULTS_KEEP"], dirs_exist_ok=True)
    for line in story(got) + [f"status {got.status}"] + judge(case, got) + got.err.splitlines():
        print("#", line)
    return 0


def main():
    if os.environ.get("FAULTS_ONE"):
        return look(os.environ["FAULTS_ONE"])
    begin = time.monotonic()
    seed = os.environ.get("FAULTS_SEED", "1")
    random.seed(seed)
    patterns = read_known()
    cases = [Case(name, *given) for name, given in CASES.items() if name in ONLY or not set(ONLY) & set(CASES)]
    fresh, others = plan(cases)
    done, bad, met, missed = walk(fresh + others, patterns, begin + SECONDS)
    for pattern, n in met.items():
        print(f"# known, {n} times: {pattern}")
    places, more = min(done, len(fresh)), max(0, done - len(fresh))
    print(f"# {done} faults in {time.monotonic() - begin:.0f} s, seed {seed}: "
          f"{places} of {len(fresh)} places, {more} of {len(others)} further calls; {missed} were not reached; {sum(met.values())} known, "
          f"{bad} new findings")
    print(f"{'ok' if not bad else 'not ok'} 1 - calls that fail")
    return 1 if bad else 0


sys.exit(main())
