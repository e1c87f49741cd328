#!/bin/sh
# The region of a stage: inside is the filter's output, outside its input, and between them what numpy makes of both.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
# Checks lines FORMAT KIND X Y W H FEATHER INPUT WHOLE GOT: planes of all frames, one after the other.
cat >judge.py <<'PY'
import sys, numpy as np
W, H = 97, 53
def weights(kind, box, feather, n): # n: pixels that a sample stands for
    x, y = np.meshgrid(*([(i + min(i + n, end)) / 2 for i in range(0, end, n)] for end in (W, H)))
    x0, y0, w, h = box * np.array([W, H, W, H]) / 100
    if kind == "mask":
        p = np.fromfile("mask.raw", ">u2").reshape(H, W).clip(0, 1000)
        return np.array([[p[j:j + n, i:i + n].mean() / 1000 for i in range(0, W, n)] for j in range(0, H, n)])
    d = np.minimum(np.minimum(x - x0, x0 + w - x), np.minimum(y - y0, y0 + h - y))
    if kind == "ellipse":
        d = (1 - np.hypot((x - x0 - w / 2) / (w / 2), (y - y0 - h / 2) / (h / 2))) * min(w, h) / 2
    return np.clip(d / feather, 0, 1) if feather else d > 0
def check(fmt, kind, x, y, w, h, feather, *files):
    dtype = "f4" if fmt == "float" else "u2" if fmt[-1] == "e" else "u1"
    steps = [1, 2, 2] if fmt.startswith("yuv") else [1]
    a, b, got = (np.fromfile(f, dtype) for f in files)
    box, at, p = np.array([x, y, w, h], "f4").astype("f8"), 0, 0 # as the chain has them
    while at < a.size and a.size == got.size and (a != b).any():
        k = weights(kind, box, float(feather), steps[p % len(steps)]).astype("f4")
        u, v, g = (t[at:at + k.size].astype("f4").reshape(k.shape) for t in (a, b, got))
        want = np.where(k >= 1, v, u + (v - u) * k)
        bad = np.argwhere((want if fmt == "float" else np.rint(want)) != g)
        if k.min() > 0 or k.max() < 1 or ((k > 0) & (k < 1)).any() == (feather + kind == "0rectangle") or len(bad):
            return f"plane {p}: {len(bad)} samples, of {bad[:1]}"
        at, p = at + k.size, p + 1
    return "yes" if p >= 2 else "nothing is compared"
for line in sys.stdin:
    print(check(*line.split()), flush=True)
PY
start_judge judge.py
python3 - <<'PY'
import numpy as np, nibabel
rng = np.random.default_rng(1)
m = rng.integers(0, 1100, (53, 97)).astype(">u2") # more than its maximum is the maximum
m[:20], m[30:, 50:] = 0, 1000
m, head = m.tobytes(), b"P5\n# drawn\n97 53 1000\n"
for name, data in ("mask.raw", m), ("mask.pgm", head + m), ("short.pgm", head + m[:-1]), ("small.pgm", b"P5 2 1 255 \0\1"):
    open(name, "wb").write(data)
nibabel.save(nibabel.Nifti1Image((rng.standard_normal((97, 53, 2)) * 100).astype("f4"), np.eye(4)), "float.nii")
PY
raw() { # format, chain, file, options...: the samples
    file=$1.mkv made=$2 to=$3
    shift 3
    if [ $file = float.mkv ]; then
        ok runnel render float.nii t.npy -y -q -f "$made" "$@"
        tail -c 41128 t.npy >$to # 97 x 53 x 2 floats
    else
        ok runnel render $file t.mkv -y -q --codec ffv1 -f "$made" "$@"
        ffmpeg -v error -y -i t.mkv -f rawvideo -pix_fmt ${file%.mkv} $to
    fi
}
expect_region() { # format, filter with a value, kind:x:y:w:h:feather, options...; behind the chain $before
    fmt=$1 filter=${before:+$before,}$2 words=$(echo "$3" | tr : ' ')
    chain=$filter:$(echo "$3" | sed 's/\(.*\):\(.*\):\(.*\):\(.*\):\(.*\):\(.*\)/region=\1:rx=\2:ry=\3:rw=\4:rh=\5:feather=\6/'):mask=mask.pgm
    shift 3
    raw $fmt "$before" in.raw -d none
    raw $fmt "$filter" whole.raw -d none "$@"
    for d in none cpu; do
        raw $fmt "$chain" got.raw -d $d "$@"
        expect_judged "$fmt $words in.raw whole.raw got.raw" "$fmt $chain -d $d"
    done
}
before=
for fmt in yuv420p yuv420p10le gray16le gbrp; do
    begin "$fmt: as numpy has it, on the device and without"
    clip $fmt.mkv lavfi:testsrc2=r=25:d=0.2 -vf scale=97:53 -pix_fmt $fmt -c:v ffv1
    expect_region $fmt invert=planes=7 rectangle:25:25:50:50:0
    expect_region $fmt blur=2:planes=7 rectangle:-10:20.5:60:33.3:3
    expect_region $fmt median=planes=7 ellipse:10:10:70:85:20
    expect_region $fmt erosion=planes=7:radius=2 mask:0:0:1:1:1
done
begin "floats; across frames the frame's own input; by fields the woven frame; filters that write where they read"
expect_region float blur=2 ellipse:20:20:60:60:3
expect_region gray16le median=slices=1 rectangle:25:25:50:50:3
expect_region yuv420p blur=2:planes=7 ellipse:10:10:70:85:3 --fields field
expect_region yuv420p erosion=planes=7:slices=1 rectangle:10:11:70:85:0 --fields field
before=blur=2:planes=7
expect_region yuv420p invert=planes=7 rectangle:25:25:50:50:3
begin "a recording moves it and switches it on"
value='"frame":%d,"stage":1,"param":"%s","value":"%s"'
printf "{\"chain\":\"blur=2,invert\"}\n{$value}\n{$value}\n" 2 region rectangle 3 rx 40 >r.jsonl
into got runnel render yuv420p.mkv md5: -q --replay r.jsonl
for part in " --to 2f" ":region=rectangle --from 2f --to 3f" ":region=rectangle:rx=40 --from 3f"; do
    "$started" render yuv420p.mkv md5: -q -f "blur=2,invert=planes=0${part%% *}" ${part#* }
done >want
expect_eq sums "$(awk '/^[0-9]/ {print $NF}' got)" "$(awk '/^[0-9]/ {print $NF}' want)"
begin "what has no sense is refused"
refused() { fails 2 "$1" runnel render yuv420p.mkv null: -f "$2"; }
refused "stats: a region limits only filters whose output has the input's format" stats=region=ellipse
refused "the mask 'small.pgm' has 2x1 pixels, the frames have 97x53" blur=region=mask:mask=small.pgm
refused "needs mask=FILE" blur=region=mask
refused "it is no whole binary PGM" blur=region=mask:mask=short.pgm
