#!/bin/sh
# DICOM files of several frames that are compressed: read one frame at a time, and each frame from the fragments
# that are its own.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

expect_frames() { # input: it gives what ./want has
    run runnel render "$1" md5: -q -d none
    [ $rc = 0 ] || complain "$1: status $rc: $(head -n 1 err)"
    cmp -s out want || complain "$1: other frames"
}

numpy <<'PY'
from dicom import DEFLATED, write
S = (38, 30)
frames = np.stack([noise(i, S, most=4095) for i in range(6)])
write('plain.dcm', frames, bits=12)
write('deflated.dcm', frames, bits=12, syntax=DEFLATED)
write('rle.dcm', frames, bits=12, packed=True)
write('mask.dcm', noise(0, (5, 7, 3), np.uint8) > 99)
write('packedmask.dcm', noise(0, (5, 7, 3), np.uint8) > 99, syntax=DEFLATED)
colours = np.stack([noise(i, S + (3,), np.uint8) for i in range(3)])
write('rgb.dcm', colours, photometric='RGB')
write('planar.dcm', colours.transpose(0, 3, 1, 2).copy().reshape(colours.shape), photometric='RGB', planar=1)
write('rlergb.dcm', colours, photometric='RGB', packed=True)
lut = [(0x28, 0x1101 + c, 'US', (200, 20, 16)) for c in range(3)]
lut += [(0x28, 0x1201 + c, 'OW', noise(c, (200,)).astype('<u2').tobytes()) for c in range(3)]
bytes_of = noise(0, (3,) + S, np.uint8)
table = [(0x28, 0x3000, 'SQ', [[(0x28, 0x3002, 'US', (256, 0, 16)), (0x28, 0x3003, 'LO', ''),
                                (0x28, 0x3006, 'OW', noise(3, (256,)).astype('<u2').tobytes())]])]
deep = noise(0, (3,) + S).astype(np.uint32) << 8 | bytes_of
for name, way in ('', {}), ('rle', {'packed': True}), ('deflated', {'syntax': DEFLATED}):
    write(f'{name}palette.dcm', bytes_of, photometric='PALETTE COLOR', tags=lut, **way)
    write(f'{name}table.dcm', bytes_of, tags=table, **way)
    write(f'{name}ybr.dcm', colours, photometric='YBR_FULL', **way)
    write(f'{name}deep.dcm', deep, **way)
write('small.dcm', frames[:, :20, :20].copy(), bits=12)
PY
runnel render plain.dcm md5: -q -d none >want

begin "frames that lie in other ways: deflated, of bits, plane by plane, in runs"
expect_frames deflated.dcm
expect_frames rle.dcm
runnel render mask.dcm md5: -q -d none >want
expect_eq "frames of bits" "$(wc -l <want)" 5
expect_frames packedmask.dcm
runnel render rgb.dcm md5: -q -d none >want
expect_frames planar.dcm
expect_frames rlergb.dcm
for name in palette table ybr deep; do
    runnel render $name.dcm md5: -q -d none >want
    expect_frames rle$name.dcm
    expect_frames deflated$name.dcm
    [ -s want ] || complain "$name: no frames"
done
for name in $(command -v dcmconv >/dev/null && echo plain rgb palette ybr mask); do
    dcmconv +tb $name.dcm big$name.dcm # big endian
    runnel render $name.dcm md5: -q -d none >want
    expect_frames big$name.dcm
done

codecs='rle'
if command -v gdcmconv >/dev/null; then
    for codec in jpeg j2k jpegls; do
        gdcmconv --$codec plain.dcm $codec.dcm 2>/dev/null && codecs="$codecs $codec"
        gdcmconv --$codec small.dcm small$codec.dcm 2>/dev/null
    done
fi

# Writes the fragments of the files of all codecs in many ways, those that are right and those that are not.
numpy $codecs <<'PY'
import os
from dicom import offsets, pack, unpack
PARTS = 3
for codec in sys.argv[1:]:
    head, frames = unpack(codec + '.dcm')
    sizes = [8 * PARTS + len(f) for f in frames]
    starts = [sum(sizes[:i]) for i in range(len(frames))]
    whole = offsets([[f] for f in frames])
    def put(what, new=frames, **how):
        os.makedirs(what, exist_ok=True)
        pack(f'{what}/{codec}.dcm', head, new, **how)
    put('same/basic', parts=PARTS)
    if codec != 'rle': # which has no marks, and does not say how large it is
        put('same/marks', parts=PARTS, table=())
        put('lost/other', frames[:2] + [unpack(f'small{codec}.dcm')[1][2]] + frames[3:])
    put('lost/half', frames[:2] + [frames[2][:len(frames[2]) // 4 * 2]] + frames[3:])
    put('lost/end', frames[:2] + [frames[2][:-4]] + frames[3:])
    if codec not in ('rle', 'jpeg'): # the others are no other cases
        continue
    put('same/one', table=whole)
    put('same/zeros', table=[0] * len(frames)) # as some leave it
    put('same/extended', parts=PARTS, table=(), extended=(starts, [len(f) for f in frames]))
    put('unknown/few', frames[:5], table=())
    put('lost/nothing', frames[:2] + [b''] + frames[3:])
    if codec == 'jpeg': # tables are the same to all
        continue
    put('unknown/between', parts=PARTS, table=[s and s + 2 for s in starts])
    put('unknown/order', parts=PARTS, table=[starts[i] for i in (0, 2, 1, 3, 4, 5)])
    put('unknown/twice', parts=PARTS, table=[starts[i] for i in (0, 1, 1, 3, 4, 5)])
    put('unknown/late', parts=PARTS, table=[s + starts[1] for s in starts])
    put('unknown/short', parts=PARTS, table=starts[:5])
    put('unknown/beyond', parts=PARTS, table=starts[:5] + [1 << 31])
    put('unknown/far', parts=PARTS, table=(), extended=(starts[:5] + [1 << 63], [len(f) for f in frames]))
whole = open('deflated.dcm', 'rb').read()
open('lost/half/deflated.dcm', 'wb').write(whole[:len(whole) // 2])
open('lost/half/broken.dcm', 'wb').write(whole[:len(whole) // 2] + b'\xff' * (len(whole) // 2))
PY
runnel render plain.dcm md5: -q -d none >want

begin "fragments: one a frame, by either table, or by the codec's marks ($codecs)"
for file in same/*/*.dcm; do expect_frames "$file"; done

begin "fragments that are not known to be of one frame or another: status 3, and no frame of them"
for file in unknown/*/*.dcm; do
    run runnel render "$file" md5: -q -d none
    [ $rc = 3 ] || complain "$file: status $rc"
    grep -q 'fragments that cannot be told apart into its frames' err || complain "$file: $(head -n 1 err)"
    [ ! -s out ] || complain "$file: frames"
done

begin "a frame that is damaged, or another picture: it alone is lost"
sed 's/^[0-9]* //' want >all
for file in lost/*/*.dcm; do
    run runnel render "$file" md5: -q -d none
    [ $rc = 6 ] || complain "$file: status $rc"
    sed 's/^[0-9]* //' out | grep -vxF -f all && complain "$file: a frame that is none"
    case $file in
    */deflated.dcm | */broken.dcm) [ -s out ] || complain "$file: no frame is left" ;; # of those before it
    *) [ "$(wc -l <out)" = 5 ] || complain "$file: $(wc -l <out) frames" ;;
    esac
done

begin "a file of many compressed frames is never held whole"
numpy <<'PY'
from dicom import DEFLATED, RLE, rle, save, write
frame = noise(0, (512, 512))
tags = [(0x28, 2, 'US', 1), (0x28, 4, 'CS', 'MONOCHROME2'), (0x28, 8, 'IS', 120), (0x28, 0x10, 'US', 512),
        (0x28, 0x11, 'US', 512), (0x28, 0x100, 'US', 16), (0x28, 0x101, 'US', 16), (0x28, 0x102, 'US', 15),
        (0x28, 0x103, 'US', 0)]
save('runs.dcm', tags, syntax=RLE, frames=[rle(frame)] * 120)
write('deflated.dcm', np.tile(frame, (120, 1, 1)), syntax=DEFLATED)
PY
for file in runs.dcm deflated.dcm; do
    expect_memory 70 0 "$RUNNEL" render $file null: -d none -q # 60 MiB of compressed frames
done
