#!/bin/sh
# Points in time of DICOM, as pydicom writes them and as nibabel and dcm2niix see what is made of them.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

"$PYTHON" -c 'import pydicom' 2>/dev/null || { skip "points in time of DICOM: python3-pydicom is not installed"; finish; }
numpy <<'PY' 2>errors || complain "pydicom does not write them: $(tail -n 1 errors)"
import os
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian, generate_uid

SINGLE, ENHANCED = '1.2.840.10008.5.1.4.1.1.4', '1.2.840.10008.5.1.4.1.1.4.1' # MR
random = np.random.default_rng(5)
T, Z, H, W = 5, 4, 9, 11
truth = random.integers(1, 4096, (T, Z, H, W)).astype(np.uint16)
np.save('truth.npy', truth)
study, frame = generate_uid(), generate_uid()


def item(**fields):
    made = Dataset()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def new(kind, series):
    meta = item(MediaStorageSOPClassUID=kind, MediaStorageSOPInstanceUID=generate_uid(),
                TransferSyntaxUID=ExplicitVRLittleEndian)
    d = FileDataset('', item(
        SOPClassUID=kind, SOPInstanceUID=meta.MediaStorageSOPInstanceUID, StudyInstanceUID=study,
        FrameOfReferenceUID=frame, SeriesInstanceUID=series, SeriesNumber=3, Modality='MR',
        Manufacturer='GE MEDICAL SYSTEMS', SamplesPerPixel=1, PhotometricInterpretation='MONOCHROME2',
        Rows=H, Columns=W, BitsAllocated=16, BitsStored=12, HighBit=11, PixelRepresentation=0,
        ImageType=['ORIGINAL', 'PRIMARY', 'M'], RepetitionTime=2500, EchoTime=30),
        file_meta=FileMetaDataset(meta), preamble=bytes(128))
    d.is_little_endian, d.is_implicit_VR = True, False
    return d


def series(folder, tell, lacks=(), times=T, slices=Z):
    os.mkdir(folder)
    uid = generate_uid()
    for t, z in np.ndindex(times, slices):
        d = new(SINGLE, uid)
        d.update(item(InstanceNumber=1 + z + Z * t, ImagePositionPatient=[-10, -20, 5 + 3 * z],
                      ImageOrientationPatient=[1, 0, 0, 0, 1, 0], PixelSpacing=[2, 2], SliceThickness=3))
        tell(d, t, z)
        d.PixelData = truth[t, z].tobytes()
        if (t, z) not in lacks:
            d.save_as(f'{folder}/{random.integers(1 << 30):08x}.dcm', write_like_original=False)


def clock(d, s): # it goes through midnight, of a 29th of February
    s += 86390
    d.AcquisitionDate = '2020' + ('0229' if s < 86400 else '0301')
    d.AcquisitionTime = '%02d%02d%09.6f' % (s % 86400 // 3600, s % 3600 // 60, s % 60)


def temporal(d, t, z):
    d.TemporalPositionIdentifier = t + 1
    clock(d, 2.5 * t + z / 2)


def interleaved(d, t, z): # the slices of a time are not taken in their order
    clock(d, 2.5 * t + (z * 2 % 4 + z // 2) / 2)


series('temporal', temporal)
series('clock', interleaved)
series('declared', lambda d, t, z: d.update(item(TemporalPositionIdentifier=t + 1, TemporalResolution=1500)))
series('trigger', lambda d, t, z: d.update(item(TriggerTime=round(23.25 * t + 3 * z))))
series('acquired', lambda d, t, z: d.update(item(AcquisitionNumber=t + 1)))
series('uneven', lambda d, t, z: clock(d, (0, 2, 4, 9, 20)[t]))
series('echo', lambda d, t, z: d.update(item(EchoTime=4.92 * (t + 1), EchoNumbers=t + 1)), times=3)
series('echotime', lambda d, t, z: d.update(item(EchoTime=4.92 * (t + 1), EchoNumbers=1)), times=3)
series('film', lambda d, t, z: d.update(item(TriggerTime=40 * t, InstanceNumber=9 - t)), slices=1)


def both(d, t, z):
    temporal(d, t, z)
    d.EchoTime = 10 + t % 2


series('both', both)
series('short', interleaved, [(0, 1), (3, 2)])
series('nothird', temporal, [(2, z) for z in range(Z)])
series('gap', temporal, [(t, 2) for t in range(T)])

order = [(t, z) for z in range(Z) for t in range(T)]
for name in 'enhanced', 'offsets':
    d = new(ENHANCED, generate_uid())
    d.SharedFunctionalGroupsSequence = [item(
        PlaneOrientationSequence=[item(ImageOrientationPatient=[1, 0, 0, 0, 1, 0])],
        PixelMeasuresSequence=[item(PixelSpacing=[2, 2], SliceThickness=3)])]
    groups = []
    for t, z in order:
        content = item(TemporalPositionIndex=t + 1, DimensionIndexValues=[t + 1, z + 1])
        groups.append(item(PlanePositionSequence=[item(ImagePositionPatient=[-10, -20, 5 + 3 * z])],
                           FrameContentSequence=[content]))
        if name == 'enhanced':
            content.FrameAcquisitionDateTime = '202002291200%09.6f+0100' % (2.5 * t)
        else:
            groups[-1].TemporalPositionSequence = [item(TemporalPositionTimeOffset=1.25 * t)]
    d.PerFrameFunctionalGroupsSequence = groups
    d.NumberOfFrames = len(order)
    d.PixelData = np.stack([truth[at] for at in order]).tobytes()
    d.save_as(name + '.dcm', write_like_original=False)
PY

run runnel info temporal
! lacks_gdcm || { skip "points in time of DICOM: the program was built without GDCM"; finish; }

cat >gives.py <<'PY'
import sys
import nibabel
import numpy as np
truth = np.load('truth.npy')
for line in sys.stdin:
    name, want, step = line.rstrip().split(';')
    image = nibabel.load(name)
    got, want = np.asarray(image.dataobj).T, eval(want)
    want = want if want.ndim == got.ndim else want[None]
    space, time = image.header.get_xyzt_units()
    told = '%g %s' % (image.header['pixdim'][4], time)
    right = got.shape == want.shape and (got == want).all() and told == step and space == 'mm'
    right = right and np.allclose(image.affine @ [0, 0, 0, 1], [10, 20, 5, 1])
    print('yes' if right else f'{got.shape}, {told}, or other samples or place', flush=True)
PY
start_judge gives.py
gives() { # input, samples, step, options: with the status $status
    input=$1 wanted=$2 step=$3
    shift 3
    fails "${status:-0}" '' runnel render "$input" got.nii -y -d none "$@"
    expect_judged "got.nii;$wanted;$step" "$input $*"
}
unknown="1 unknown"

begin "points in time are read as a whole, with the step that a clock tells"
gives temporal truth "2.5 sec"
gives clock truth "2.5 sec"
gives declared truth "1.5 sec"
gives trigger truth "0.02325 sec"
gives acquired truth "$unknown"
gives film 'truth[:, :1]' "0.04 sec"
gives enhanced.dcm truth "2.5 sec"
gives offsets.dcm truth "1.25 sec"
grep lost: err | grep -qv "what DICOM says of patient" && complain "something is lost"

begin "--time of DICOM: as of NIfTI"
gives temporal 'truth[1]' "2.5 sec" --time 2
gives temporal 'truth[::2]' "5 sec" --time 1,3,5
into table runnel stats temporal --time 1,3,5 -q -d none
expect_eq "time_s, channel and time_index" "$(sed 1d table | rev | cut -d, -f1-3 | rev | uniq | tr '\n' ' ')" '0,1,1 5,1,3 10,1,5 '
gives temporal 'truth[[0, 1, 3]]' "$unknown" --time 1,2,4
refuses 2 "'temporal' has points in time 1 to 5" runnel render temporal nothing.nii --time 6
gives temporal 'truth[3:]' "2.5 sec" --from 12f

begin "no step: uneven times and echoes, said in a line"
gives uneven truth "$unknown"
expect_message "lost: 'uneven': its 5 points in time are not evenly spaced: their step is left out"
for input in echo echotime; do
    gives $input 'truth[:3]' "$unknown"
    expect_message "lost: '$input': its 3 echoes are read as points in time without a step (4.92, 9.84, 14.76 ms)"
done
gives both truth "2.5 sec"
expect_message "lost: 'both': its points in time differ in echo time, too, which is lost"

begin "slices and times that are not there: counted and named, status 6"
black="np.where(np.isin(np.arange(20), (1, 14)).reshape(5, 4, 1, 1), 0, truth)"
status=6 gives short "$black" "2.5 sec"
expect_message "2 missing frames (slice 2 of time 1 is missing, which 'short/"
status=6 gives nothird 'truth[[0, 1, 3, 4]]' "$unknown"
expect_message "4 missing frames (.*the temporal positions go from 2 to 4: 4 slices are missing)"
fails 6 "5 missing frames (between .* are 6 mm: 1 slice is missing)" runnel render gap md5: -q

begin "the step in NRRD and MetaImage, beside the directions; and in DICOM"
for to in got.nrrd got.mha got_%02d.dcm; do
    ok runnel render temporal $to -y -q -d none
    gives "$(echo $to | sed 's/%02d/*/')" truth "2.5 sec"
done
expect_eq "the fourth axis" "$(strings got.nrrd | grep -E '^(spacings|units|space directions)')" \
    'space directions: (2,0,0) (0,2,0) (0,0,3) none
spacings: nan nan nan 2.5
units: "" "" "" "s"'

begin "volume by volume as dcm2niix has it"
if command -v dcm2niix >/dev/null; then
    mkdir niix
    for input in temporal trigger echo; do
        ok dcm2niix -z n -f "$input-%e" -o niix $input
        ok runnel render $input $input.nii -y -q
        expect_python - $input <<'PY'
import glob, sys
import nibabel, numpy as np
ours = nibabel.as_closest_canonical(nibabel.load(sys.argv[1] + '.nii'))
theirs = [nibabel.as_closest_canonical(nibabel.load(f)) for f in sorted(glob.glob(f'niix/{sys.argv[1]}-*.nii'))]
got, want = np.asarray(ours.dataobj), [np.asarray(i.dataobj) for i in theirs]
want = want[0] if len(want) == 1 else np.stack(want, -1)
assert got.shape == want.shape and (got == want).all() and np.allclose(ours.affine, theirs[0].affine), 'other volumes'
PY
    done
else
    skip_this "dcm2niix is not installed"
fi
