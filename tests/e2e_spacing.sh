#!/bin/sh
# Elements in millimetres, and filters across slices in scans of several channels or times.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

numpy <<'PY' || exit 1
rng = np.random.default_rng(11)
deep = rng.integers(-1000, 3000, (9, 17, 21)).astype(np.int16)
def write(name, a, types='int16', spaced='spacings: 0.5 0.75 1.25\n', kinds=''):
    head = (f'NRRD0005\ntype: {types}\ndimension: {a.ndim}\nsizes: {" ".join(map(str, a.shape[::-1]))}\n{kinds}'
            f'{spaced}endian: little\nencoding: raw\n\n')
    open(name, 'wb').write(head.encode() + a.tobytes())
np.save('deep.want.npy', deep)
write('deep.nrrd', deep)
write('unspaced.nrrd', deep, spaced='')
np.save('times.npy', deep.reshape(3, 3, 17, 21))
write('float.nrrd', deep.astype(np.float32) / 7, 'float')
PY

cat >check.py <<'PY'
import sys
import numpy as np
from scipy import ndimage as nd
for n, line in enumerate(sys.stdin):
    name, shape, radius, slices, device = line.split()
    x = np.load('deep.want.npy')
    x = (x.astype(np.float32) / 7) if name.startswith('float') else x
    radius, slices = float(radius), float(slices)
    reach = [int(slices / 1.25 + 1e-9), int(radius / 0.75 + 1e-9), int(radius / 0.5 + 1e-9)]
    z, y, w = np.ogrid[tuple(slice(-n, n + 1) for n in reach)]
    if shape == 'square':
        element = np.ones([2 * n + 1 for n in reach], bool)
    elif shape == 'cross':
        element = ((z == 0) * 1 + (y == 0) + (w == 0)) >= 2
    else:
        element = (w * 0.5 / radius) ** 2 + (y * 0.75 / radius) ** 2 + (z * 1.25 / slices) ** 2 <= 1 + 1e-9
    want = nd.grey_dilation(x, footprint=element, mode='nearest')
    got = np.load(f'out{n + 1}.npy')
    if got.dtype != want.dtype or not np.array_equal(got, want):
        print('another result:', line.strip())
PY

begin "an element in millimetres has the samples whose centres are as near, on every axis"
cat >cases <<'LIST'
deep.nrrd disk 1.5 1.5 0
deep.nrrd disk 1.5 1.5 none
deep.nrrd disk 3 2.5 0
float.nrrd disk 2.5 2.5 0
deep.nrrd square 1.5 1.5 0
deep.nrrd cross 2.25 3.75 none
deep.nrrd disk 0.6 1.3 0
LIST
n=0
while read -r name shape radius slices device; do
    n=$((n + 1))
    ok runnel render $name out$n.npy -q -d $device -f \
        "dilation=shape=$shape:radius=${radius}mm:slices=${slices}mm:border=clamp"
done <cases
expect_eq "against SciPy" "$("$PYTHON" check.py <cases 2>&1)" ""

begin "what does not reach the next sample is said"
ok runnel stats deep.nrrd -q -f erosion=radius=1mm:slices=1mm
says 'radius=0.6mm reaches no neighbour along columns, which are 0.75 mm apart' \
    runnel stats deep.nrrd -f erosion=radius=0.6mm:slices=1mm
expect_message 'slices=1mm reaches no neighbour across slices, which are 1.25 mm apart'

begin "what cannot be is refused before there is an output"
while read -r input filter message; do
    refuses 2 "$message" runnel render $input never.npy -f "$filter"
done <<'LIST'
unspaced.nrrd closing=radius=1.5mm does not say how many mm its columns are apart; give radius in px, 1..31
unspaced.nrrd closing=slices=1.5mm does not say how many mm its slices are apart; give slices in frames, 0..7
deep.nrrd closing=radius=16mm it reaches 32 columns, 0.5 mm apart, and radius is 1..31 px
deep.nrrd closing=slices=10mm it reaches 8 slices, 1.25 mm apart, and slices is 0..7 frames
deep.nrrd closing=radius=-1mm millimetres such as 1.5mm
deep.nrrd closing=radius=1.5cm takes a number
deep.nrrd median=radius=1mm the window is a square
LIST

begin "filters across slices mix no points in time"
refuses 2 '3 points in time' runnel render times.npy never.npy -f closing=slices=1
ok runnel render times.npy one.npy -q --from 3f --to 6f -f closing=slices=1
fails 2 '' runnel render times.npy never.npy -y -f closing=slices=1 --from 2f --to 5f
ok runnel render times.npy all.npy -q -f closing

begin "what was turned first, and what was taken from one point in time, against SciPy"
run runnel render deep.nrrd turned.npy -q -f dilation=shape=disk:radius=1.5mm:border=clamp
run runnel render deep.nrrd first.npy -q --rotate 90 -f dilation=shape=disk:radius=1.5mm:border=clamp
expect_python - <<'PY'
import numpy as np
from scipy import ndimage as nd
assert np.array_equal(np.rot90(np.load("turned.npy"), -1, (1, 2)), np.load("first.npy"))
x = np.load("times.npy")[1]
y = nd.maximum_filter(x, 3, mode="nearest")
assert np.array_equal(nd.minimum_filter(y, 3, mode="nearest"), np.load("one.npy").reshape(x.shape))
PY
