#!/bin/sh
# The preview, asked to measure a region: as numpy measures the same part of the files.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
command -v xclip >/dev/null || { skip "xclip is missing"; finish; }

select_region() { # from x, y, to x, y: of the window
    xdo keydown Shift_L mousemove --window "$window" "$1" "$2" mousedown 1 \
        mousemove --window "$window" $((($1 + $3) / 2)) "$4" mousemove --window "$window" "$3" "$4" mouseup 1 keyup Shift_L
}

# region.py NAMES X0 Y0 X1 Y1 FRAME [SLOPE INTERCEPT UNIT]: checks the text `got` against in0.npy, out0.npy, in1.npy ...
# (frames, rows, columns); corners included.
cat >region.py <<'PY'
import sys
import numpy as np
names = sys.argv[1].split(",")
x0, y0, x1, y1, frame = map(int, sys.argv[2:7])
slope, intercept = [float(v) for v in sys.argv[7:9]] or (1, 0)
unit = ", " + sys.argv[9] if len(sys.argv) > 9 else ""
tables = [[line.split("\t") for line in part.split("\n")] for part in open("got").read().split("\n\n")]
at = next(i for i, t in enumerate(tables) if "mean" in t[0])
table, histograms = tables[at], tables[at + 1:]
def equal(what, got, want):
    if got != want:
        sys.exit(f"{what}: {got}, not {want}")
equal("head", table[0], [f"{x1 - x0 + 1} x {y1 - y0 + 1} at {x0}, {y0}", "samples", "mean", "std dev", "min", "max"])
equal("lines", len(table), 1 + 2 * len(names))
whole = np.load("in0.npy", mmap_mode="r").shape[1:]
for p, name in enumerate(names):
    for side, kind in enumerate(("in", "out")):
        plane = np.load(f"{kind}{p}.npy", mmap_mode="r")[frame]
        step = [(n + m - 1) // m for n, m in zip(whole, plane.shape)]
        v = plane[y0 // step[0]:y1 // step[0] + 1, x0 // step[1]:x1 // step[1] + 1].astype("f8") * slope + intercept
        v = v[~np.isnan(v)]
        row = table[1 + 2 * p + side]
        what = name + (" filtered" if side else " original") + unit
        equal("name", row[0], what)
        equal(what + ": samples", int(row[1]), v.size)
        for column, want in zip(row[2:], (v.mean(), v.std(), v.min(), v.max())):
            if abs(float(column) - want) > 6e-9 * max(abs(want), v.std()):
                sys.exit(f"{what}: {row[2:]}, not {want}")
        histogram = histograms[2 * p + side]
        equal("title", histogram[0], [what, "samples"])
        edges = np.array([float(e) for e, n in histogram[1:]])
        counts = [int(n) for e, n in histogram[1:]]
        equal(what + ": all samples", sum(counts), v.size)
        if np.issubdtype(plane.dtype, np.integer):
            want = np.histogram(v, np.append(edges, np.inf))[0]
            equal(what + ": histogram", counts, list(want))
        elif not (edges[0] <= v.min() + 1e-6 and 2 <= len(edges) <= 64):
            sys.exit(f"{what}: bins from {edges[0]}")
PY

is_measured() {
    key c
    clipboard >got
    "$PYTHON" region.py "$@" 2>why
}
expect_measured() { # what, as region.py
    what=$1
    shift
    wait_for 10 is_measured "$@" || { complain "$what: $(tail -n 1 why)"; head -n 12 got | sed 's/^/#   /'; }
}

begin "Shift+drag: a 16-bit stack, any direction, scale and frame"
make_deep 2
filtered deep.tif median
play_at_first deep.tif -f median
select_region 40 30 139 99
expect_measured "a region" gray 40 30 139 99 0
select_region 200 180 100 20
expect_measured "from the end to the beginning" gray 100 20 200 180 0
select_region 250 180 500 500
expect_measured "beyond the window" gray 250 180 319 239 0
after period expect_frame period 1
expect_measured "the next frame" gray 250 180 319 239 1
key b
after v expect_measured "bypassed and split: both sides all the same" gray 250 180 319 239 1
key v b
xdo mousemove --window "$window" 100 100
key 4 # its corner at -301, -301
select_region 103 103 140 120
expect_measured "zoomed" gray 101 101 110 105 1
key x
cp in0.npy out0.npy
expect_measured "after a change" gray 101 101 110 105 1

begin "Shift+drag: scans in their unit, signed and float with NaN"
make_signed
filtered signed.nii erosion
play_at_first signed.nii -f erosion
select_region 3 5 300 200
expect_measured "signed" gray 3 5 300 200 0 0.5 -1024
"$PYTHON" - <<'PY'
import nibabel, numpy as np
real = (np.random.default_rng(5).standard_normal((2, 240, 320)) * 1e-2 + 7).astype("f4")
real[:, 50:60, 50:60] = np.nan
nibabel.save(nibabel.Nifti1Image(real.T, np.diag([-1, -1, 1, 1])), "real.nii")
np.save("in0.npy", real)
PY
cp in0.npy out0.npy
play_at_first real.nii
select_region 30 30 99 99
expect_measured "float" gray 30 30 99 99 0

begin "Shift+drag: a clip, the chroma that covers the region"
numpy <<'PY'
rng = np.random.default_rng(6)
planes = [rng.integers(0, 256, s, np.uint8) for s in ((1, 240, 320), (1, 120, 160), (1, 120, 160))]
with open("in.y4m", "wb") as f:
    f.write(b"YUV4MPEG2 W320 H240 F25:1 Ip A1:1 C420jpeg\nFRAME\n" + b"".join(p.tobytes() for p in planes))
for i, p in enumerate(planes):
    np.save(f"in{i}.npy", p)
PY
clip clip.mkv in.y4m -c:v ffv1
ok runnel render clip.mkv - -q -f invert=planes=7
numpy <<'PY'
data = open("out", "rb").read()
data = np.frombuffer(data[data.index(b"FRAME\n") + 6:], np.uint8)
for i, (a, h, w) in enumerate(((0, 240, 320), (76800, 120, 160), (96000, 120, 160))):
    np.save(f"out{i}.npy", data[a:a + h * w].reshape(1, h, w))
PY
play_at_first clip.mkv -f invert=planes=7
select_region 11 20 53 61
expect_measured "clip" Y,U,V 11 20 53 61 0

begin "Shift+drag: a picture that is shown turned, the stored samples of what is seen"
numpy <<'PY'
v = np.random.default_rng(8).integers(0, 256, (1, 240, 320), np.uint8)
with open("lying.y4m", "wb") as f:
    f.write(b"YUV4MPEG2 W320 H240 F25:1 Ip A1:1 Cmono\nFRAME\n" + v.tobytes())
np.save("in0.npy", v)
PY
cp in0.npy out0.npy
clip lying.mov lying.y4m -pix_fmt gray -c:v png
turned_clip turned.mov 90 lying.mov
play_at_first turned.mov --rotate none
select_region 20 30 99 159
# A quarter to the left: what is on the right comes to the top.
expect_measured "a region" gray 160 20 289 99 0

begin "the region is drawn; a click or Esc clears it, and Esc then leaves fullscreen"
play_at_first clip.mkv
low=320x100+0+140
shot plain
expect_gone() { expect_seen "gone after $1" $whole plain same; }
select_region 100 150 180 200
expect_seen "the frame around it" 100x80+90+140 plain other
expect_seen "not on it" 81x51+100+150 plain same
expect_seen "the figures" 150x80+170+0 plain other
xdo mousemove --window "$window" 60 180 click 1
expect_gone "a click"
select_region 100 150 180 200
expect_seen "the frame around it" 100x80+90+140 plain other
after Escape expect_gone "Esc"
after f expect_size fullscreen 1280x1024
select_region 400 400 500 500
press Escape
is_size 1280x1024 || complain "Esc left fullscreen before the region was gone"
after Escape expect_size "fullscreen left" 320x240
expect_gone "fullscreen"

begin "Q: a drag limits the selected stage, its outline is drawn, and what is shown is what render makes"
play_at_first clip.mkv -f blur=3,invert
press Q
shot plain
xdo mousemove --window "$window" 40 30 mousedown 1 mousemove --window "$window" 99 149 mousemove --window "$window" 199 149 mouseup 1
expect_seen "the outline" 20x20+190+140 plain other
expect_eq chain "$(written)" blur=sigma=3:region=rectangle:rx=12.5:ry=12.5,invert
expect_as_rendered clip.mkv
tuned u blur=sigma=3,invert
