#!/bin/sh
# Headers of scans: each field arrives, or a line names it.
. "$(dirname "$0")/lib.sh"
headers() { python3 "$root/tests/headers.py" "$@"; }
headers make

begin "every field of NIfTI-1 and -2 arrives in a NIfTI, and without a line"
for f in all1.nii all2.nii.gz pair.hdr sform.nii qform.nii plain.nii; do
    out=out_$(echo "$f" | sed 's/hdr$/nii/')
    ok runnel render "$f" "$out" --strict -q
    expect_eq "$f" "$(headers compare_nifti "$f" "$out")" ''
done

begin "fields that hold no more are named, and none else"
says "lost: 'm.nii': 2 fields of the NIfTI header are left out: glmax, glmin" \
    runnel render all1.nii m.nii -f median
says "lost: 'c.nii': .*slice_start, slice_end, slice_code, slice_duration, toffset, extension 4" \
    runnel render all1.nii c.nii --time 1 --from 1f
says "lost: 'f.nrrd': 26 fields of the NIfTI header are left out: intent_code, " \
    runnel render all1.nii f.nrrd
says "lost: 'f.npy': 26 fields of the NIfTI header" runnel render all1.nii f.npy
says "lost: 'f.mp4': 26 fields of the NIfTI header" runnel render bytes.nii f.mp4 --time 1
for f in nrrd mha npy tif; do
    ok runnel render plain.nii plain.$f
    expect_eq "$f" "$(grep -c 'NIfTI header' err)" 0
done

begin "both forms follow pictures that are cropped, turned and scaled"
while read -r name source options; do
    # shellcheck disable=SC2086
    ok runnel render bytes.nii "$name.nii" $options -q
    expect_eq "$options" "$(headers places bytes.nii "$name.nii" "$source")" ''
done <<'LIST'
crop (x+2,y+1) --crop 4x5+2+1
right (y,6-x) --rotate 90
half (8-x,6-y) --rotate 180
left (8-y,x) --rotate 270
mirror (8-x,y) --rotate hflip
flip (x,6-y) --rotate vflip
both (y+2,6-1-x) --rotate 90 --crop 5x6+1+2
large ((x+.5)/2-.5,(y+.5)/3-.5) --scale 18x21
all ((y+.5)/2-.5+2,6-1-((x+.5)/2-.5)) --rotate 90 --crop 5x6+1+2 --scale 10x12
LIST

begin "slices of a tilted gantry keep their shear"
ok runnel render sform.nii tilt.nrrd -q
ok runnel render sform.nii tilt.mha -q
for f in nrrd mha; do
    ok runnel render tilt.$f back_$f.nii -q
    expect_eq "$f" "$(python3 - <<PY
import nibabel, numpy as np
a, b = nibabel.load('sform.nii').header, nibabel.load('back_$f.nii').header
want = a.get_sform()[:3] * 1e-3 # micrometres
print(np.allclose(want, b.get_sform()[:3], atol=1e-6), b['qform_code'])
PY
)" 'True 0'
done
ok runnel render tilt tilt_dicom.nii -q
expect_eq "DICOM" "$(headers tilted tilt_dicom.nii)" ''
fails 6 "slices lie at uneven distances: where they lie is left out" runnel render gap gap.nii --strict

begin "every element of DICOM arrives in DICOM, or is named"
if python3 -c 'import pydicom' 2>/dev/null; then
    headers make_dicom 2>/dev/null
    for f in explicit implicit; do
        says "lost: 'd_$f.dcm': . elements of the DICOM header are left out: " \
            runnel render $f.dcm d_$f.dcm
        expect_eq "$f" "$(headers compare_dicom $f.dcm d_$f.dcm err 2>/dev/null)" ''
        expect_eq "dcmtk" "$(dcmdump d_$f.dcm 2>&1 >/dev/null | grep -c '^[EWF]:')" 0
    done
else
    skip "pydicom is not there"
fi

finish
