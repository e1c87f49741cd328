#!/bin/sh
# What `stats` writes: CSV, JSON lines, the lines at the end.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

src=src.nut
clip $src lavfi:testsrc2=s=64x48:r=25 -frames:v 4 -c:v rawvideo
columns=frame,time,plane,mean,variance,min,max,l1,l2,lp,linf,entropy,dot_prev,ncc_prev

begin "JSON lines have the columns of the CSV as keys and the same values"
into csv runnel stats $src --frames 4 -q
expect_eq "columns" "$(head -n 1 csv)" $columns
ok runnel stats $src --frames 4 -q --json
expect_eq "keys" "$(jq -r 'keys_unsorted | join(",")' out | sort -u)" $columns
expect_eq "nulls" "$(jq -r 'select(.dot_prev == null and .ncc_prev == null) | .frame' out | tr -d '\n')" 000
tail -n +2 csv | sed 's/,,$/,null,null/; s/^/[/; s/$/]/' | jq -c . >want
expect_printed want jq -c '[.[]]' out

begin "JSON lines by the stage itself, in any command"
ok runnel render $src null: --frames 2 -f 'erosion,stats=format=json:file=s.jsonl:planes=1' -q
expect_eq "lines" "$(jq -s length s.jsonl)" 2

begin "lines come while the input goes on"
clip in.y4m lavfi:testsrc2=s=64x48:r=25 -frames:v 20 -pix_fmt yuv420p -f yuv4mpegpipe
for option in --quiet --json; do
    mkfifo pipe
    "$RUNNEL" stats - -q $option <pipe >lines 2>err &
    pid=$!
    exec 9>pipe
    cat in.y4m >&9
    ten_lines() { [ "$(wc -l <lines)" -ge 10 ]; }
    wait_for $patience ten_lines || complain "$option: $(wc -l <lines) lines while the pipe is open"
    exec 9>&-
    ends $pid 0
    rm pipe
done

begin "the figures of the run on stderr, not with -q"
says '^  Y *4 frames: mean .* min .* max .* entropy' runnel stats $src --frames 4
expect_message '^  V *4 frames'
"$PYTHON" - <<'PY' >want
import csv
rows = [r for r in csv.DictReader(open('csv')) if r['plane'] == '0']
n = len(rows)
mean = sum(float(r['mean']) for r in rows) / n
square = sum(float(r['variance']) + float(r['mean']) ** 2 for r in rows) / n
print('%.6g %.6g' % (mean, (square - mean * mean) ** 0.5))
PY
expect_printed want sed -n 's/^  Y .*mean \([^ ]*\) .*sd \([^,]*\),.*/\1 \2/p' err
run runnel stats $src --frames 4 -q
expect_eq "stderr" "$(wc -c <err)" 0

begin "a signed scan is measured in its rescaled values, as NumPy does"
"$PYTHON" - <<'PY'
import struct
import nibabel, numpy as np
raw = np.random.default_rng(5).integers(-1024, 3072, (31, 23, 3)).astype(np.int16)
raw[:2, 0, 0] = -32768, 32767
nibabel.save(nibabel.Nifti1Image(raw, np.eye(4)), 'ct.nii')
for slope, intercept, name in ((1, 0, 'plain.nii'), (1, -24, 'ct.nii'), (-0.5, 1000, 'turned.nii')):
    header = bytearray(open('ct.nii', 'rb').read())
    struct.pack_into('<ff', header, 112, slope, intercept) # scl_slope, scl_inter
    open(name, 'wb').write(header)
PY
cat >check.py <<'PY'
import csv, sys
import nibabel, numpy as np
x = nibabel.load(sys.argv[1]).get_fdata()
for i, row in enumerate(csv.DictReader(open('out'))):
    v = x[:, :, i]
    want = dict(mean=v.mean(), variance=v.var(), min=v.min(), max=v.max(), l1=np.abs(v).sum(),
                l2=np.sqrt((v * v).sum()), linf=np.abs(v).max())
    for key in want:
        assert abs(float(row[key]) - want[key]) <= 1e-9 * max(1, abs(want[key])), (i, key, row[key])
assert i == 2
PY
for name in plain ct turned; do
    ok runnel stats $name.nii -q
    "$PYTHON" check.py $name.nii >said 2>&1 || complain "$name: $(tail -n 1 said)"
done

begin "place, area and volume of a scan's slices, and its NaN, as NumPy has them"
make_real='
import nibabel, numpy as np
rng = np.random.default_rng(4)
v = rng.integers(-2, 3, (9, 7, 5)).astype(np.float32)
v[rng.random(v.shape) < 0.1] = np.nan
m = np.diag([0.5, 1.5, 2.5, 1]); m[:3, 3] = 10, -20, 30
'
$PYTHON -c "$make_real
nibabel.save(nibabel.Nifti1Image(v, m), 'real.nii')
nibabel.save(nibabel.Nifti1Image((v > 0).astype(np.uint8), m), 'mask.nii')"
for f in real mask; do
    into $f.csv runnel stats $f.nii -q
    expect_python -c "$make_real
import csv
for k, row in enumerate(csv.DictReader(open('$f.csv'))):
    s = v[:, :, k] if '$f' == 'real' else v[:, :, k] > 0
    n = np.count_nonzero(np.nan_to_num(s))
    want = [n, n * 0.75, n * 0.75 * 2.5, 30 + 2.5 * k] + ([np.isnan(s).sum()] if '$f' == 'real' else [])
    got = [float(row[c]) for c in ['nonzero', 'area_mm2', 'volume_mm3', 'z_mm', 'nan'][:len(want)]]
    assert np.allclose(got, want, rtol=1e-6), (k, got, want)
assert k == 4"
done
$PYTHON -c "$make_real
n = nibabel.Nifti1Image(np.ones((5, 4, 2, 3), np.int16), m)
n.header['pixdim'][4] = 1500
n.header.set_xyzt_units('mm', 'msec')
nibabel.save(n, 'times.nii')"
ok runnel stats times.nii -q --json
expect_eq "time_s" "$(jq -c '.time_s' out | tr '\n' ' ')" '0 0 1.5 1.5 3 3 '
total=$($PYTHON -c "$make_real
print('%g' % ((v > 0).sum() * 0.75 * 2.5))")
says "gray *what is not zero: $total mm3" runnel stats mask.nii

begin "the frame before is one of the same channel and time, and columns say which they are"
cat >stacks.py <<'PY'
import csv, sys
import numpy as np
random = np.random.default_rng(7)
shapes = {"turns": (2, 3, 5, 12, 20), "film": (4, 1, 3, 12, 20), "dyes": (1, 1, 5, 12, 20)}
name, kind = sys.argv[1:3]  # (times, slices, channels, rows, columns)
values = random.integers(0, 250, shapes[name]).astype({"u": "u1", "i": "<i2", "f": "<f4"}[kind])
if len(sys.argv) == 3:
    np.save(name + kind + ".npy", values)
    raise SystemExit
order, times, channels = sys.argv[3], *[[int(c) for c in a.split(",")] for a in sys.argv[4:6]]
nt, ns, nc = len(times), shapes[name][1], len(channels)
places = {"npy": [(t, s, c) for t in times for s in range(ns) for c in channels],
          "nii": [(t, s, c) for c in channels for t in times for s in range(ns)]}[order]
rows = list(csv.DictReader(open("out")))
assert len(rows) == len(places), len(rows)
assert list(rows[0])[-2:] == ["channel", "time_index"], list(rows[0])
for i, (row, (t, s, c)) in enumerate(zip(rows, places)):
    before = (t, s - 1, c) if ns > 1 else (times[times.index(t) - 1] if t != times[0] else 0, 0, c)
    x = values[t - 1, s, c - 1].astype(float)
    assert (int(row["channel"]), int(row["time_index"])) == (c, t), (i, row)
    if before[0] < 1 or before[1] < 0:
        assert row["dot_prev"] == row["ncc_prev"] == "", (i, row)
        continue
    y = values[before[0] - 1, before[1], c - 1].astype(float)
    dot, ncc = (x * y).sum(), (x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum())
    assert float(row["dot_prev"]) == dot and abs(float(row["ncc_prev"]) - ncc) < 1e-9, (i, row, dot)
PY
stacks() { # name, kind, order, times, channels, options
    check="$1 $2 $3 $4 $5"
    input=$1$2.$3
    shift 5
    for options in '' '-d none' '--inflight 1'; do
        ok runnel stats "$input" -q $options "$@"
        "$PYTHON" stacks.py $check >said 2>&1 || complain "$check $options $*: $(tail -n 1 said)"
    done
}
for kind in u i f; do
    "$PYTHON" stacks.py turns $kind
    stacks turns $kind npy 1,2 1,2,3,4,5
done
"$PYTHON" stacks.py film u
stacks film u npy 1,2,3,4 1,2,3
"$PYTHON" stacks.py dyes f
stacks dyes f npy 1 1,2,3,4,5
ok runnel render turnsu.npy turnsu.nii -q
stacks turns u nii 1,2 1,2,3,4,5
stacks turns u npy 1,2 2,4,5 --channel 2,4-5
stacks turns u npy 2 2,3 --channel 2-3 --time 2
run runnel stats turnsu.npy -q --channel 2 --time 2
expect_eq "columns of one stack" "$(head -n 1 out)" $columns
run runnel stats turnsu.npy -q --from 15f
expect_eq "from the middle" "$(cut -d, -f13,15,16 out | sed -n '2p;6p;7p' | tr '\n' ' ')" ",1,2 ,5,2 $(cut -d, -f13 out | sed -n 7p),1,2 "
run runnel stats turnsu.npy -q --json
expect_eq "JSON" "$(jq -c '[.channel,.time_index]' out | sed -n '16p;17p' | tr -d '\n')" '[1,2][2,2]'
ok runnel render turnsu.npy null: -q -f stats=file=table.csv
prints table.csv runnel stats turnsu.npy -q

begin "the entropy of floats is that of the frame, whatever the others hold"
cat >entropy.py <<'PY'
import csv, sys
import numpy as np
random = np.random.default_rng(5)
v = (random.normal(0, 1, (4, 40, 50)) * np.array([1, 1e-3, 300, 0]).reshape(4, 1, 1)).astype("<f4")
v[2, 0, :3] = [np.nan, np.inf, -np.inf]
if len(sys.argv) == 1:
    np.save("floats.npy", v)
    raise SystemExit
first = int(sys.argv[1])
for i, row in enumerate(csv.DictReader(open("out")), first):
    x = v[i][~np.isnan(v[i])]
    low, high = x[np.isfinite(x)].min(), x[np.isfinite(x)].max()
    scale = np.float32(65536 / (float(high) - float(low))) if high > low else np.float32(1)
    h = np.bincount(np.clip((x - low) * scale, 0, 65535).astype(int)) / x.size
    want = -(h[h > 0] * np.log2(h[h > 0])).sum()
    assert abs(float(row["entropy"]) - want) < 1e-8, (i, row["entropy"], want)
assert i == 3
PY
"$PYTHON" entropy.py
for options in '' '-d none' '--from 1f'; do
    ok runnel stats floats.npy -q $options
    "$PYTHON" entropy.py "$(sed -n '2s/,.*//p' out)" >said 2>&1 || complain "$options: $(tail -n 1 said)"
done

begin "gnuplot draws the table"
into clip.csv runnel stats $src --frames 4 -q
if command -v gnuplot >/dev/null; then
    into clip.svg gnuplot -e "csv='clip.csv'" "$root/media/norms.gp"
    "$PYTHON" - <<'PY' || complain "not three lines in each of four plots"
import re, xml.dom.minidom
text = open('clip.svg').read()
xml.dom.minidom.parseString(text)
lines = re.findall(r"d='(M[^']*)'", text)
raise SystemExit(sum(len(re.findall(r'\d+\.\d+,\d+\.\d+', line)) == 6 for line in lines) != 12) # two of each are in the key
PY
else
    skip "gnuplot is not installed"
fi
