#!/bin/sh
# DICOM files that are derived of others, and of other volumes: what they say, read by pydicom, GDCM, dcmtk and
# the program itself.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

numpy <<'PY'
import os
from dicom import place, write
from tiff import noise, write as write_tiff
S = (9, 11)
CT = '1.2.840.10008.5.1.4.1.1.2'
whose = [(8, 5, 'CS', 'ISO_IR 192'), (8, 0x20, 'DA', '20250102'), (8, 0x50, 'SH', 'A17'),
         (8, 0x70, 'LO', 'Maker'),
         (8, 0x90, 'PN', 'Who^Referred'), (8, 0x1030, 'LO', 'a study'), (8, 0x103E, 'LO', 'Thorax'),
         (0x10, 0x10, 'PN', 'Müller^Zoë'), (0x10, 0x20, 'LO', 'P-1'), (0x10, 0x30, 'DA', '19700101'),
         (0x10, 0x40, 'CS', 'F'), (0x18, 0x50, 'DS', '3'), (0x18, 0x60, 'DS', '120'), (0x20, 0x10, 'SH', 'S1'),
         (0x20, 0x11, 'IS', '4'), (0x20, 0x52, 'UI', '1.2.840.99'), (0x20, 0x1040, 'LO', 'SN'),
         (0x28, 0x1050, 'DS', '40\\300'), (0x28, 0x1051, 'DS', '400\\1500'), (0x28, 0x2110, 'CS', '01'),
         (9, 0x10, 'LO', 'PRIVATE'), (9, 0x1010, 'LO', 'secret')]
os.mkdir('ct')
for i in range(6):
    write(f'ct/s{i}.dcm', noise(i, S).astype(np.int16), signed=True, rescale=(2, -1024, 'HU'), modality='CT',
          kind=CT, number=6 - i, instance=f'1.2.9.{i}', spacing=(0.5, 0.25), series='1.2.77',
          position=(10.25, -20.5, 2.5 * i + (i == 5)), orientation=(0.6, 0.8, 0, -0.8, 0.6, 0),
          tags=whose + [(8, 8, 'CS', 'ORIGINAL\\PRIMARY\\AXIAL')])
byte = np.uint8
os.mkdir('types')
write('types/u8.dcm', noise(0, S, byte))
write('types/u12.dcm', noise(0, S, most=4095), bits=12)
write('types/u16.dcm', noise(0, S))
write('types/s16.dcm', noise(0, S).astype(np.int16), signed=True)
write('types/mono1.dcm', noise(0, S, most=4095), bits=12, photometric='MONOCHROME1')
write('types/rgb.dcm', noise(0, S + (3,), byte), photometric='RGB')
write('types/rgb16.dcm', noise(0, S + (3,)), photometric='RGB')
write('multi.dcm', np.stack([noise(i, S) for i in range(3)]), instance='1.2.8',
      kind='1.2.840.10008.5.1.4.1.1.7.3')
write_tiff('signed.tif', [noise(0, S + (3,)).astype(np.int16)], sample_format=2)
np.save('floats.npy', noise(0, (2,) + S).astype(np.float32))
np.save('alpha.npy', noise(0, (2,) + S + (4,), byte))
np.save('slices.npy', noise(0, (3,) + S))
PY
run runnel render types/u8.dcm u8.dcm -q
if lacks_gdcm; then
    run runnel render slices.npy 'x_%04d.dcm' -q
    begin "without GDCM: one line that names the package"
    expect_refusal 2 libgdcm-dev
    skip "derived DICOM: the program was built without GDCM"
    finish
fi
has_pydicom=1
python3 -c 'import pydicom' 2>/dev/null || has_pydicom=

begin "a series: values, place and scale; whose it is; what it was made of; new identifiers"
says 'lost: .*: 2 elements of the DICOM header are left out: Window Center, Window Width' \
    runnel render ct 'out_%04d.dcm' -f convolution=preset=identity
expect_eq "files" "$(echo out_*.dcm)" "out_0000.dcm out_0001.dcm out_0002.dcm out_0003.dcm out_0004.dcm out_0005.dcm"
if [ "$has_pydicom" ]; then
    numpy >py.out 2>&1 <<'PY' || complain "$(tail -n 1 py.out)"
import re
import pydicom

source = [pydicom.dcmread(f'ct/s{i}.dcm') for i in range(6)]
got = [pydicom.dcmread(f'out_{i:04}.dcm') for i in range(6)]
kept = ['SpecificCharacterSet', 'StudyDate', 'AccessionNumber', 'Manufacturer', 'ReferringPhysicianName',
        'StudyDescription', 'PatientName', 'PatientID', 'PatientBirthDate', 'PatientSex', 'StudyID', 'StudyInstanceUID',
        'KVP', 'FrameOfReferenceUID', 'PositionReferenceIndicator', 'Modality', 'SOPClassUID', 'LossyImageCompression',
        'ImagePositionPatient', 'ImageOrientationPatient', 'PixelSpacing', 'SliceThickness', 'RescaleSlope',
        'RescaleIntercept', 'RescaleType', 'BitsAllocated', 'BitsStored', 'HighBit', 'PixelRepresentation',
        'PhotometricInterpretation', 'Rows', 'Columns']
for i, (a, b) in enumerate(zip(source, got)):
    assert np.array_equal(a.pixel_array, b.pixel_array), f'values of {i}'
    for name in kept:
        assert a[name].value == b[name].value, f'{name}: {b[name].value}, not {a[name].value}'
    assert b.ImageType == ['DERIVED', 'SECONDARY', 'AXIAL'], b.ImageType
    assert (b.WindowCenter, b.WindowWidth) == (40, 400)
    assert 'convolution' in b.DerivationDescription
    assert b.SeriesDescription.startswith('Thorax | runnel'), b.SeriesDescription
    item, = b.SourceImageSequence
    assert (item.ReferencedSOPClassUID, item.ReferencedSOPInstanceUID) == (a.SOPClassUID, a.SOPInstanceUID)
    assert b.ContributingEquipmentSequence[0].Manufacturer == 'runnel'
    assert b.InstanceNumber == i + 1 and b[9, 0x1010].value == 'secret'
    assert b.file_meta.MediaStorageSOPInstanceUID == b.SOPInstanceUID != a.SOPInstanceUID
    for uid in b.SOPInstanceUID, b.SeriesInstanceUID:
        assert re.fullmatch(r'2\.25\.[1-9][0-9]{30,38}', uid), uid
assert len({b.SOPInstanceUID for b in got}) == 6 and len({b.SeriesInstanceUID for b in got}) == 1
PY
fi
into want runnel render ct md5: -q
prints want runnel render 'out_*.dcm' md5: -q
run runnel info 'out_*.dcm' --json
jq -c '.volume | .made_by |= startswith("runnel")' out >again
run runnel info ct --json
jq -c '.volume | .made_by = true' out >first
expect_same again first

begin "every sample type as it came"
for name in u8 u12 u16 s16 mono1 rgb rgb16; do
    ok runnel render types/$name.dcm $name.dcm -q -y
    into want runnel render types/$name.dcm md5: -q
    prints want runnel render $name.dcm md5: -q
    [ ! "$has_pydicom" ] || numpy $name >py.out 2>&1 <<'PY' || complain "$name: $(tail -n 1 py.out)"
import pydicom

a, b = pydicom.dcmread(f'types/{sys.argv[1]}.dcm'), pydicom.dcmread(f'{sys.argv[1]}.dcm')
assert np.array_equal(a.pixel_array, b.pixel_array)
for name in 'BitsAllocated', 'BitsStored', 'PixelRepresentation', 'PhotometricInterpretation', 'SamplesPerPixel':
    assert a[name].value == b[name].value, name
assert b.file_meta.MediaStorageSOPClassUID == '1.2.840.10008.5.1.4.1.1.7' and b.ConversionType == 'WSD'
PY
done

begin "frames of a file, and slices without a place"
ok runnel render multi.dcm 'm_%02d.dcm' -q
ok runnel render slices.npy 'p%d.dcm' -q
if [ "$has_pydicom" ]; then
    expect_eq "the frame that each was made of" "$(python3 -c "
import pydicom
for i in range(3):
    item, = pydicom.dcmread(f'm_{i:02}.dcm').SourceImageSequence
    print(item.ReferencedSOPInstanceUID, item.ReferencedFrameNumber, end=' ')")" '1.2.8 1 1.2.8 2 1.2.8 3 '
    expect_eq "place" "$(python3 -c "
import pydicom
ds = pydicom.dcmread('p1.dcm')
print('ImagePositionPatient' in ds, 'FrameOfReferenceUID' in ds, 'SourceImageSequence' in ds, ds.InstanceNumber)")" \
        'False False False 2'
fi
into want runnel render slices.npy md5: -q
prints want runnel render 'p*.dcm' md5: -q

begin "a range, and a picture that is missing: each lies where it lay"
cp -r ct hole
head -c 700 ct/s3.dcm >hole/s3.dcm
fails 6 '' runnel render hole 'h_%d.dcm' -q
ok runnel render ct 'r_%d.dcm' --from 2f --frames 2 -q
[ ! "$has_pydicom" ] || expect_eq "sources" "$(python3 - <<'PY'
import glob
import os
import pydicom
for name in sorted(glob.glob('[hr]_*.dcm')):
    ds = pydicom.dcmread(name)
    source = ds.SourceImageSequence[0].ReferencedSOPInstanceUID.split('.')[-1]
    same = pydicom.dcmread(f'ct/s{source}.dcm')
    print(name[0], source, same.PixelData == ds.PixelData, same.ImagePositionPatient == ds.ImagePositionPatient)
PY
)" "h 0 True True
h 1 True True
h 2 True True
h 4 True True
h 5 True True
r 2 True True
r 3 True True"

begin "cropped and turned pictures keep their patient and their place"
for n in c t; do
    [ $n = c ] && how='--crop 4x3+2+1' || how='--rotate 90'
    # shellcheck disable=SC2086
    says "lost: '${n}_%d.dcm': 1 element of the DICOM header is left out: private elements" \
        runnel render ct "${n}_%d.dcm" $how
    expect_eq "losses" "$(grep -c lost: err)" 1
done
[ ! "$has_pydicom" ] || expect_eq "what is left" "$(python3 - <<'PY'
import numpy as np, pydicom
def at(ds, x, y):
    side, step = np.array(ds.ImageOrientationPatient, float), ds.PixelSpacing
    return np.array(ds.ImagePositionPatient, float) + x * step[1] * side[:3] + y * step[0] * side[3:]
for n in range(6):
    ct, c, t = (pydicom.dcmread(f'{name}{n}.dcm') for name in ('ct/s', 'c_', 't_'))
    rows = ct.Rows
    print(c.PatientID, 'FrameOfReferenceUID' in c, c.PixelSpacing, t.PixelSpacing,
          np.allclose(at(c, 1, 2), at(ct, 3, 3)), np.allclose(at(t, 1, 2), at(ct, 2, rows - 1 - 1)),
          c.SliceThickness == ct.SliceThickness)
PY
)" "$(for n in 0 1 2 3 4 5; do echo 'P-1 True [0.5, 0.25] [0.25, 0.5] True True True'; done)"

begin "what DICOM cannot hold is refused in one line, before anything is written"
refused() { # words of the message, runnel's arguments
    words=$1
    shift
    refuses 2 "$words" runnel render "$@"
    expect_eq "files" "$(echo none*)" 'none*'
}
refused 'floats' floats.npy 'none_%d.dcm'
refused 'without a sign' signed.tif 'none_%d.dcm'
refused 'transparency' alpha.npy 'none_%d.dcm'
refused 'holds one picture, and 6 come.*none_%04d.dcm' ct none.dcm
refused 'codec' ct 'none_%d.dcm' --codec png
refused 'as they are' ct 'none_%d.dcm' --pix-fmt gray
make_clip film.mkv 0.2
refused "Y'CbCr" film.mkv 'none_%d.dcm'
refused 'overwrite the input' 'p%d.dcm' 'p%d.dcm' -y
ok runnel render film.mkv 'film_%d.dcm' -f format=gray -q
expect_eq "pictures of a film" "$(echo film_*.dcm | wc -w)" 5

begin "what is there is not written over, nor left half written"
cp p0.dcm keep.dcm
fails 4 '' runnel render types/u8.dcm keep.dcm -n
expect_same keep.dcm p0.dcm
fails 4 '' runnel render ct 'p%d.dcm' -n
expect_same keep.dcm p0.dcm
mkdir small
if mount -t tmpfs -o size=64k none small 2>/dev/null; then
    mounts="$mounts $scratch/small"
    python3 -c "
import numpy as np
np.save('large.npy', np.zeros((3, 120, 120), np.uint16))"
    fails 4 '' runnel render large.npy 'small/x_%d.dcm' -q
    expect_eq "whole files" "$(find small -type f -size -28k)" ''
fi

begin "as dcmtk and the standard's validator read it"
if command -v dcmdump >/dev/null; then
    for file in out_0003.dcm u8.dcm s16.dcm rgb16.dcm m_01.dcm c_0.dcm; do
        dcmdump +W . $file >dump 2>dump.err || complain "$file: $(head -n 1 dump.err)"
        [ ! -s dump.err ] || complain "$file: $(head -n 1 dump.err)"
    done
    dcm2pnm out_0003.dcm seen.pgm 2>dump.err || complain "$(head -n 1 dump.err)"
    valid='out_0003.dcm u8.dcm s16.dcm rgb.dcm m_01.dcm c_0.dcm p1.dcm'
    command -v dciodvfy >/dev/null || valid=
    for file in $valid; do
        dciodvfy $file 2>&1 | grep '^Error' && complain "$file is not as the standard wants it"
    done
else
    skip_this "dcmtk is not installed"
fi
