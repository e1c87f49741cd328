#!/bin/sh
# Samples keep their values and their type from TIFF to TIFF.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

mkdir in
python3 "$root/tests/exact.py" make in
start_judge "$root/tests/exact.py" check
expect_stored() { expect_judged "$1 $2"; } # file, input: whether it has the same samples in the same type

for name in u1 w1 u2 u4 w4 u6 u7 u8 w8 u10 u12 c12 u16 w16 s8 s16 u32 s32 f16 f32 f64; do
    begin "$name: stored samples and their type, without filters and with one that changes nothing"
    ok runnel render in/$name.tif plain.tif --compression none -y -q --strict
    expect_stored plain.tif $name
    ok runnel render plain.tif same.tif --compression none -y -q -f convolution=preset=identity
    expect_stored same.tif $name
done

begin "compressed, they are the same"
for pair in u1:deflate u4:lzw u12:deflate s8:zstd u32:deflate f16:lzw f32:packbits; do
    ok runnel render in/${pair%:*}.tif packed.tif --compression ${pair#*:} -y -q
    run runnel render packed.tif plain.tif --compression none -y -q
    expect_stored plain.tif ${pair%:*}
done

begin "what a filter makes of them and they do not hold gets samples that do, on all pages"
numpy <<'PY'
from tiff import write
late = [np.ones((20, 30), np.uint8) for _ in range(5)]
late[3][5:9, 5:9] = 0
write('late1.tif', late, bits=1)
write('late32.tif', [p.astype(np.uint32) * 1000 for p in late])
PY
for n in 1 32; do
    says "blurred.tif.*do not fit" runnel render late$n.tif blurred.tif -y -f boxblur=radius=1
    into got runnel render blurred.tif md5: -q
    prints got runnel render late$n.tif md5: -q -f boxblur=radius=1
    expect_eq "pages" "$(identify -format '%z ' blurred.tif)" \
        "$([ $n = 1 ] && echo '8 8 8 8 8 ' || echo '32 32 32 32 32 ')"
done

begin "12 bits stay 12 bits in a file of this program, and what breaks that is counted"
run runnel render in/u12.tif u12.tif -y -q --compression none
run runnel info u12.tif
grep -q 'filtered as gray12$' out || complain "$(grep samples out)"
python3 - <<'PY'
data = bytearray(open('u12.tif', 'rb').read())
data[8:10] = b'\xff\xff'
open('broken.tif', 'wb').write(data)
PY
fails 6 "page 1 of 'broken.tif' has samples of more than the 12 bits" runnel render broken.tif null:

begin "white that is 0 is 0 in another TIFF; elsewhere it is said that it is not"
ok runnel render in/w16.tif 'w16_%d.tif' -q --strict
expect_eq "photometric" "$(python3 -c "
import tifffile; print(int(tifffile.TiffFile('w16_0.tif').pages[0].photometric))")" 0
says 'lost: .*white is 0 in the input, and 65535 here' runnel render in/w16.tif w16.npy
run runnel render in/w16.tif 'w16_%d.dcm'
[ "$rc" = 2 ] && grep -q libgdcm-dev err || expect_message 'lost: .*white is 0 in the input, and 65535 here'

begin "numbered files: signed samples, floats and where slices lie"
python3 - <<'PY'
import nibabel, numpy as np
a = np.arange(-200, 220, 2).reshape(5, 6, 7).astype(np.int16)
for name, data in ('signed', a), ('real', a.astype(np.float32) / 3):
    image = nibabel.Nifti1Image(data.T, np.diag([-0.5, -0.75, 2, 1]))
    image.header.set_xyzt_units('mm')
    image.header.set_slope_inter(2, -10)
    nibabel.save(image, name + '.nii')
PY
for name in signed real; do
    ok runnel render $name.nii "${name}_%03d.tif" --strict -q
    expect_eq "files" "$(ls ${name}_*.tif | tr '\n' ' ')" \
        "${name}_000.tif ${name}_001.tif ${name}_002.tif ${name}_003.tif ${name}_004.tif "
    ok runnel render "${name}_%03d.tif" back.nii -y -q
    expect_eq "$name" "$(python3 -c "
import nibabel, numpy
a, b = nibabel.load('$name.nii'), nibabel.load('back.nii')
print(numpy.array_equal(a.dataobj.get_unscaled(), b.dataobj.get_unscaled()), b.get_data_dtype(),
      numpy.allclose(a.affine, b.affine), b.dataobj.slope, b.dataobj.inter)")" \
        "True $([ $name = signed ] && echo int16 || echo float32) True 2.0 -10.0"
done
ok runnel render signed.nii 'late_%03d.tif' --from 2f --threads 4 --compression zstd -q
expect_only . $(ls -A | grep -v '^late_') late_002.tif late_003.tif late_004.tif
refuses 4 '' runnel render signed.nii 'late_%03d.tif' -q
fails 2 'would overwrite the input' runnel render 'signed_%03d.tif' 'signed_%03d.tif' -y

begin "12 bits of a scan stand in a PNG as they are; signed samples and floats are refused"
ok runnel render in/u12.tif 'u12_%d.png' -q
expect_eq "values" "$(python3 -c "
import cv2, exact
got = [cv2.imread('u12_%d.png' % i, cv2.IMREAD_UNCHANGED) for i in range(3)]
print(all((g == w).all() for g, w in zip(got, dict(exact.inputs())['u12'][0])))")" True
for name in s16 f32; do
    refuses 2 'png takes no .* samples' runnel render in/$name.tif 'no_%d.png'
done
expect_no_file no_*
