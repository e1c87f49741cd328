#!/bin/sh
# Parameters that are levels, on a signed scan with slope, intercept and unit: in stored values, in the
# unit, in 8-bit units, each against NumPy.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

cat >levels.py <<'PY'
import csv, json, subprocess, sys
import numpy as np
random = np.random.default_rng(11)
SLOPE, INTERCEPT = 2, -1024
ct = random.normal(500, 400, (2, 24, 36)).round().astype("<i2") # stored; HU = 2 * stored - 1024
ct[0, 0, :2] = -32768, 32767
head = (f"NRRD0004\ntype: short\ndimension: 3\nsizes: 36 24 2\nencoding: raw\nendian: little\n"
        f"rescale slope:={SLOPE}\nrescale intercept:={INTERCEPT}\nrescale unit:=HU\n\n")
open("ct.nrrd", "wb").write(head.encode() + ct.tobytes())
v = ct.astype(float)
BLACK, WHITE = -32768, 32767

def filtered(chain):
    run = subprocess.run([sys.argv[1], "render", "ct.nrrd", "out.npy", "-y", "-q", "-d", "none", "-f", chain],
                         capture_output=True)
    if run.returncode:
        return run.stderr.decode().strip()
    return np.load("out.npy").reshape(ct.shape).astype(float)

# The same stored value, or the same difference of stored values, in each of the scales.
def position(stored):
    unit, eight = SLOPE * stored + INTERCEPT, (stored - BLACK) / 256
    return f"{stored:g}", f"{stored:g}native", f"{unit:g}hu", f"{eight:.10g} 8bit"
def distance(stored):
    return f"{stored:g}", f"{stored:g}native", f"{SLOPE * stored:g}HU", f"{stored / 256:.10g} 8bit"
def clip(a):
    return np.clip(np.rint(a), BLACK, WHITE)
def ramp(black, white, low, high):
    return np.rint(low + (high - low) * np.clip((v - black) / (white - black), 0, 1))

checks = [(f"threshold=level='{t}'", np.where(v > 532, 255, 0)) for t in position(532)]
for b, w in zip(position(300), position(812)):
    checks.append((f"levels=black='{b}':white='{w}':low=-100:high=900", ramp(300, 812, -100, 900)))
for l, h in zip(position(-512), position(1024)):
    checks.append((f"levels=black=0:white=1000:low='{l}':high='{h}'", ramp(0, 1000, -512, 1024)))
for w, l in zip(distance(256), position(512)):
    checks.append((f"levels=window='{w}':level='{l}':low=0:high=255", ramp(384, 640, 0, 255)))
for t in distance(-640):
    checks.append((f"convolution=preset=identity:bias='{t}'", clip(v - 640)))
for t in distance(384):
    checks.append((f"laplacian=scale=0:delta='{t}'", np.full_like(v, 384)))
    checks.append((f"sobel=scale=0:delta='{t}'", np.full_like(v, 384)))
# A unit without slope and intercept is that of the samples themselves.
real = (ct / 3).astype("<f4")
head = head.replace("short", "float").split("rescale slope")[0] + "rescale unit:=HU\n\n"
open("real.nrrd", "wb").write(head.encode() + real.tobytes())
run = subprocess.run([sys.argv[1], "render", "real.nrrd", "real.npy", "-y", "-q", "-d", "none", "-f",
                      "threshold=40hu,format=grays16:values=range"], capture_output=True, text=True)
if run.returncode or not np.array_equal(np.load("real.npy").ravel(), np.where(real > 40, WHITE, BLACK).ravel()):
    print("a unit without slope:", run.stderr.strip() or "other samples")
row = json.loads(subprocess.run([sys.argv[1], "stats", "real.nrrd", "-q", "--json", "--frames", "1"],
                                capture_output=True, text=True).stdout)
if row.get("unit") != "HU" or row.get("slope") != 1 or abs(row["max"] - real[0].max()) > 1e-3:
    print("stats of a unit without slope:", row)

wrong = 0
for chain, want in checks:
    got = filtered(chain)
    if isinstance(got, str):
        wrong += 1
        print(f"{chain}: {got}")
    elif not np.array_equal(got, want):
        wrong += 1
        far = np.abs(got - want)
        print(f"{chain}: {(far > 0).sum()} samples differ, by up to {far.max():g}")
noises = []
for t in distance(128):
    got = filtered(f"noise=type=gaussian:sigma='{t}':seed=3")
    noises.append(got if isinstance(got, str) else got - v)
inner = np.abs(v) < 30000
if any(isinstance(n, str) for n in noises) or not all(np.array_equal(n, noises[0]) for n in noises):
    print("noise: not the same in all scales", [n if isinstance(n, str) else n[inner].std() for n in noises])
elif abs(noises[0][inner].std() / 128 - 1) > 0.05:
    print(f"noise: the deviation is {noises[0][inner].std()}, not 128")

# What the tables say of it.
hu = SLOPE * v + INTERCEPT
for option in "-q", "--json":
    text = subprocess.run([sys.argv[1], "stats", "ct.nrrd", "-q", option], capture_output=True, text=True)
    lines = text.stdout.splitlines()
    rows = [json.loads(l) for l in lines] if option == "--json" else list(csv.DictReader(lines))
    for row, x in zip(rows, hu):
        for key, want in (("mean", x.mean()), ("min", x.min()), ("max", x.max()), ("l1", np.abs(x).sum()),
                          ("slope", SLOPE), ("intercept", INTERCEPT)):
            if abs(float(row[key]) - want) > 1e-6 * abs(want):
                print(f"stats {option}: {key} is {row[key]}, not {want}")
        if row["unit"] != "HU":
            print(f"stats {option}: the unit is {row['unit']}")
    if len(rows) != 2:
        print(f"stats {option}: {len(rows)} rows")
PY
begin "every level in stored values, in HU, in 8-bit units; noise; the tables of stats"
"$PYTHON" levels.py "$started" >wrong 2>&1
expect_eq "wrong" "$(cat wrong)" ""

begin "threshold makes masks of 8 bits of every type of samples, and what follows keeps them"
numpy "$started" >wrong 2>&1 <<'PY'
import subprocess, sys
def run(name, chain):
    subprocess.run([sys.argv[1], "render", name, "out.npy", "-y", "-q", "-f", chain], check=True)
    return np.load("out.npy")
v = np.random.default_rng(8).integers(0, 256, (3, 20, 37))
inputs = {"u8": v.astype(np.uint8), "u16": v.astype(np.uint16) * 257, "s16": (v * 200 - 20000).astype(np.int16),
          "f32": (v * 1.5 - 99).astype(np.float32), "12": v.astype(np.uint16) * 16}
for name, a in inputs.items():
    level, low, high = int(a.ravel()[50]), 0, 65535
    if name == "12":
        file, high = "v.y4m", 4095
        with open(file, "wb") as f:
            f.write(b"YUV4MPEG2 W37 H20 F25:1 Cmono12\n" + b"".join(b"FRAME\n" + x.tobytes() for x in a))
    else:
        np.save(file := name + ".npy", a)
    if a.dtype.kind == "f":
        low, high = a[1].min(), a[1].max() # as the middle slice has them
    elif name != "12":
        low, high = np.iinfo(a.dtype).min, np.iinfo(a.dtype).max
    above = a > level
    text = "%dnative" % level
    wide = np.lib.stride_tricks.sliding_window_view(np.pad(above, ((0, 0), (1, 1), (1, 1))), (3, 3), (1, 2)).any((-1, -2))
    for chain, want in ((f"threshold={text}", above * np.uint8(255)), (f"threshold={text}:values=01", above.astype(np.uint8)),
                        (f"threshold={text}:values=range", np.where(above, high, low).astype(a.dtype)),
                        (f"threshold={text},dilation", wide * np.uint8(255))):
        got = run(file, chain).reshape(want.shape)
        if got.dtype != want.dtype or not np.array_equal(got, want):
            print(name, chain, got.dtype, np.unique(got))
PY
expect_eq "wrong" "$(cat wrong)" ""
clip ten.mkv lavfi:testsrc2=s=64x48:r=25:d=0.1 -pix_fmt yuv420p10 -c:v ffv1
ok runnel render ten.mkv mask.mkv -f threshold --codec ffv1 -d none -q
expect_eq "video of 10 bits" "$(about mask.mkv stream=pix_fmt)" yuv420p10le

begin "what is out of range or of another unit is refused, with the range in HU"
for chain in threshold=40mm threshold=65000hu levels=white=40000 noise=sigma=-3hu convolution=bias=1000000hu; do
    refuses 2 'HU' runnel render ct.nrrd null: -f "$chain"
done

begin "a level in a unit whose slope is negative would turn black and white round"
sed 's/slope:=2/slope:=-2/' ct.nrrd >falling.nrrd
for chain in threshold=40hu levels=black=40hu levels=white=40hu:black=0 levels=window=400hu:level=40hu; do
    refuses 2 'slope is negative' runnel render falling.nrrd never.npy -f "$chain"
done
ok runnel render falling.nrrd sure.npy -q -y -f levels=black=300:white=812:low=-100hu
ok runnel render falling.nrrd sure.npy -q -y -f levels=window=400hu:level=532
ok runnel render falling.nrrd sure.npy -q -y -f threshold=532,invert
