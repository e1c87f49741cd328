#!/bin/sh
# The preview, asked for numbers: samples under the pointer, as the files have them.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
command -v xclip >/dev/null || { skip "xclip is missing"; finish; }

is_copied() {
    key c
    clipboard >got
    cmp -s got want
}
expect_copied() { # what: the file `want` is what c copies
    wait_for 10 is_copied || { complain "$1"; diff got want | sed 's/^/#   /'; }
}

# sample.py KIND X Y FRAME: the text that c is to copy at a pixel of a frame; in.npy and out.npy are the stacks
# (frames, planes, rows, columns), or, for planes of other sizes, in0.npy, in1.npy ...
cat >sample.py <<'PY'
import glob, sys
import numpy as np
names, unit, x, y, frame = sys.argv[1].split(","), sys.argv[2], *map(int, sys.argv[3:6])
scale = [float(v) for v in sys.argv[6:8] if v]
def number(v):
    if np.issubdtype(type(v), np.integer):
        return str(v)
    return next(s for d in range(6, 10) if np.float32(s := "%.*g" % (d, v)) == v)
def cell(kind, p, whole):
    plane = np.load(f"{kind}{p}.npy", mmap_mode="r")[frame]
    step = [(n + m - 1) // m for n, m in zip(whole, plane.shape)]
    v = plane[y // step[0]][x // step[1]]
    return number(v) + (f" = {scale[0] * float(v) + scale[1]:.9g} {unit}" if scale else "")
whole = np.load("in0.npy", mmap_mode="r").shape[1:]
lines = [f"{x}, {y}\toriginal\tfiltered"]
lines += [f"{n}\t{cell('in', p, whole)}\t{cell('out', p, whole)}" for p, n in enumerate(names)]
if sys.argv[8:]: # a NIfTI, as nibabel has it, in LPS
    import nibabel
    at = nibabel.load(sys.argv[8]).affine @ [x, y, frame, 1] * [-1, -1, 1, 1]
    lines.append(" ".join(f"{v + 0.0:.10g}" for v in at[:3]) + " mm LPS")
print("\n".join(lines), end="")
PY
want() { "$PYTHON" sample.py "$@" >want; }

begin "d, c: a 16-bit TIFF stack, at any scale, frame and after any change"
make_deep 3
filtered deep.tif erosion
play_at_first deep.tif -f erosion
point 3 239
want gray "" 3 239 0
expect_copied "fitted"
after period expect_frame period 1
want gray "" 3 239 1
expect_copied "the next frame"
point 100 100
key 4
want gray "" 100 100 1
expect_copied "zoomed"
point 104 99
want gray "" 101 100 1
expect_copied "a pixel to the right, of those 4 times as large"
xdo mousemove --window "$window" 200 100 mousedown 2 mousemove --window "$window" 160 100 mouseup 2
# 100.5 is at 100.5: at 160.5 is 115.5, moved by 10
want gray "" 125 100 1
expect_copied "moved"
key Up Tab Up Up # another shape, or radius
filtered deep.tif "$(written)"
want gray "" 125 100 1
expect_copied "after a change"
key x
cp in0.npy out0.npy
want gray "" 125 100 1
expect_copied "off"

begin "d: the panel moves the picture under a resting pointer"
play_at_first deep.tif
xdo windowsize "$window" 640 480
settle
point 170 240
press d p
shot resting
point 171 240
point 170 240
expect_seen "as when the pointer comes" 150x60+180+0 resting same

begin "d, c: scans in their unit, signed and float"
make_signed
cp in0.npy signed.npy
"$PYTHON" - <<'PY'
import nibabel, numpy as np
real = (np.random.default_rng(6).standard_normal((2, 240, 320)) * 1e-3).astype("f4")
nibabel.save(nibabel.Nifti1Image(real.T, np.diag([-1, -1, 1, 1])), "real.nii")
np.save("real.npy", real)
PY
for name in signed real; do
    cp $name.npy in0.npy
    filtered $name.nii median
    play_at_first $name.nii -f median
    for at in "0 0" "17 200" "319 239"; do
        point $at
        [ $name = real ] && want gray "" $at 0 "" "" real.nii || want gray "" $at 0 0.5 -1024 signed.nii
        sed -i 's/ \t/\t/g; s/ $//' want # no unit
        expect_copied "$name at $at"
    done
done

begin "d, c: a clip, its chroma under every pixel, odd sizes"
numpy <<'PY'
rng = np.random.default_rng(5)
with open("in.y4m", "wb") as f:
    f.write(b"YUV4MPEG2 W321 H241 F25:1 Ip A1:1 C420jpeg\n")
    for frame in range(2):
        f.write(b"FRAME\n" + rng.integers(0, 256, 321 * 241 + 2 * 161 * 121, np.uint8).tobytes())
PY
clip clip.mkv in.y4m -c:v ffv1
planes_of() { # y4m: NAME0.npy ...
    numpy "$1" "$2" <<'PY'
data = open(sys.argv[1], "rb").read()
w, h = 321, 241
start = data.index(b"FRAME\n") + 6
frames = [data[start:]]
ends = np.cumsum([0, w * h, 161 * 121, 161 * 121])
for p, (ph, pw) in enumerate([(h, w), (121, 161), (121, 161)]):
    np.save(f"{sys.argv[2]}{p}.npy", np.stack([np.frombuffer(f, np.uint8)[ends[p]:ends[p + 1]].reshape(ph, pw) for f in frames]))
PY
}
chain=erosion=planes=7
into out.y4m runnel render clip.mkv - -q -f $chain --frames 1
planes_of in.y4m in
planes_of out.y4m out
play_at_first clip.mkv -f $chain
for at in "0 0" "101 77" "320 240" "319 239" "10 100"; do
    point $at
    want Y,U,V "" $at 0
    expect_copied "at $at"
done

begin "d: on the screen, and as the pointer moves; without it nothing is drawn"
play_at_first clip.mkv
point 160 200
right=150x60+170+0
shot plain
expect_seen "no readout" $right plain same
after d expect_seen "the readout" $right plain other
cp now.ppm first.ppm
point 161 200
expect_seen "at the next pixel" $right first other
point 160 200
expect_seen "back again" $right first same
after period expect_frame period 1
expect_seen "the next frame" $right first other
after Home expect_frame Home 0
expect_seen "the first frame" $right first same
after d expect_seen "off" $right plain same

begin "c with nothing under the pointer, and a chain that changes the format"
play_at_first deep.tif -f format=gray:values=range
xdo windowsize "$window" 500 240
settle
point 10 10
# Beside the picture: nothing is copied, and what was stays.
echo old | timeout 10 xclip -i -selection clipboard
press c
expect_eq "clipboard" "$(clipboard)" old
point 250 100
is_told() {
    key c
    clipboard | grep -q "^gray	[0-9]*	[0-9]*$" && [ "$(clipboard | awk -F'\t' 'NR == 2 {print ($3 < 256)}')" = 1 ]
}
wait_for 10 is_told || complain "told: $(clipboard)"
