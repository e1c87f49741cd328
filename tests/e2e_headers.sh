#!/bin/sh
# Headers of scans: each field arrives, or a line names it.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
headers() { python3 "$root/tests/headers.py" "$@"; }
headers make

begin "every field of NIfTI-1 and -2 arrives in a NIfTI, and without a line"
for f in all1.nii all2.nii.gz pair.hdr sform.nii qform.nii plain.nii; do
    out=out_$(echo "$f" | sed 's/hdr$/nii/')
    ok runnel render "$f" "$out" --strict -q
    expect_eq "$f" "$(headers compare_nifti "$f" "$out")" ''
done

begin "every field of NRRD and MetaImage arrives in the same format, and without a line"
for f in placed spaced odd four vector flat; do
    for n in 0 ${WHOLE:+1 2 3}; do ok runnel render $f$n.nrrd out_$f$n.nrrd --strict -q; done
done
for f in cube film flat; do
    for n in 0 ${WHOLE:+1 2 3}; do ok runnel render $f$n.mha out_$f$n.mha --strict -q; done
done
expect_eq "those that do not" "$(headers compare_text 2>&1 | grep -v '[0-3].[nm][rh][ra]d*:$')" ''

begin "fields that hold no more are named, and none else"
says "lost: 'm.nii': 2 fields of the NIfTI header are left out: glmax, glmin" \
    runnel render all1.nii m.nii -f median
says "lost: 'c.nii': .*slice_start, slice_end, slice_code, slice_duration, toffset, extension 4" \
    runnel render all1.nii c.nii --time 1 --from 1f
says "lost: 'f.nrrd': 26 fields of the NIfTI header are left out: intent_code, " \
    runnel render all1.nii f.nrrd
says "lost: 'f.npy': 26 fields of the NIfTI header" runnel render all1.nii f.npy
says "lost: 'f.mp4': 26 fields of the NIfTI header" runnel render bytes.nii f.mp4 --time 1
{
    printf 'NRRD0005\n# made by hand\ntype: uchar\ndimension: 4\nspace: RAS\nsizes: 3 2 2 2\nfoo: bar\nold min: -1\n'
    printf 'kinds: domain domain domain list\nspace directions: (500,0,0) (0,700,0) (0,0,900) none\n'
    printf 'space origin: (1000,2000,3000)\nspace units: "um" "um" "um"\nmeasurement frame: (1,0,0) (0,0,1) (0,1,0)\n'
    printf 'encoding: text\nlabels: "" "" "" "direction"\nDWMRI_b-value:=1000\nDWMRI_gradient_0000:=1 0 0\n'
    printf 'DWMRI_gradient_0001:=0 1 0\nSegment0_Name:=liver\nSegment0_Extent:=0 2 0 1 0 1\naxis 3 index values:=7 8\n'
    printf 'window:=wide\n\n1 2 3 4 5 6 1 2 3 4 5 6 1 2 3 4 5 6 1 2 3 4 5 6'
} >dwi.nrrd
lost_of() { echo "lost: '$1': $2 fields\\{0,1\\} of the $3 header \\(is\\|are\\) left out: $4\$"; }
while read -r output n options lost; do
    says "$(lost_of $output $n NRRD "$lost")" runnel render dwi.nrrd $output $(echo $options | tr + ' ')
done <<'LIST'
same.nrrd 1 -y foo
one.nrrd 6 --channel+2 foo, DWMRI_gradient_0000, DWMRI_gradient_0001, Segment0_Extent, axis 3 index values, labels
turned.nrrd 2 --rotate+90 foo, Segment0_Extent
inverse.nrrd 3 -f+invert foo, Segment0_Extent, old min
first.nrrd 6 --to+2f foo, DWMRI_gradient_0000, DWMRI_gradient_0001, Segment0_Extent, axis 3 index values, labels
dwi.nii 12 -y comment, foo, DWMRI_b-value, .*
LIST
for text in 'space: RAS' 'DWMRI_gradient_0001:=0 1 0' 'measurement frame: (1,0,0) (0,0,1) (0,1,0)'; do
    grep -aqxF "$text" turned.nrrd || complain "turned pictures have no $text"
done
expect_eq "micrometres" "$(python3 -c "import nibabel; print(nibabel.load('dwi.nii').affine.round(6).tolist())")" \
    '[[0.5, 0.0, 0.0, 1.0], [0.0, 0.7, 0.0, 2.0], [0.0, 0.0, 0.9, 3.0], [0.0, 0.0, 0.0, 1.0]]'
{
    printf 'NRRD0004\ntype: uchar\ndimension: 3\nsizes: 3 2 9\nthicknesses: 1 2 3\nunits: "a" "b" "c"\n'
    printf 'spacings: 1 2 3\naxis mins: 1 2 3\nencoding: raw\n\n123456123456123456'
} >cut.nrrd
fails 6 "lost: .*axis mins, units, thicknesses" runnel render cut.nrrd few.nrrd
expect_eq "words" "$(teem-unu head few.nrrd | grep nan | sort)" "axis mins: 1 2 nan
thicknesses: 1 2 nan"
{
    printf 'ObjectType = Image\nNDims = 3\nComment = \nID = -1\nColor = 1 1 1 1\nCenterOfRotation = 0 0 0\n'
    printf 'AnatomicalOrientation = RAI\nElementMin = 1\nModality = MET_MOD_CT\nDistanceUnits = um\nmine = x\n'
    printf 'ElementSpacing = 500 700 900\nOffset = 1000 2000 3000\nDimSize = 3 2 1\nElementType = MET_UCHAR\nanything\n'
    printf 'BinaryData = False\nElementDataFile = LOCAL\n1 2 3 4 5 6'
} >ct.mha
while read -r output n options lost; do
    says "$(lost_of $output $n MetaImage "$lost")" runnel render ct.mha $output $(echo $options | tr + ' ')
done <<'LIST'
same.mha 1 -y anything
inverse.mha 2 -f+invert ElementMin, anything
ct.nii 4 -y ElementMin, Modality, mine, anything
LIST
expect_eq "micrometres" "$(python3 -c "import nibabel; print(nibabel.load('ct.nii').affine.round(6).tolist())" | sed 's/-0\.0,/0.0,/g')" \
    '[[-0.5, 0.0, 0.0, -1.0], [0.0, -0.7, 0.0, -2.0], [0.0, 0.0, 0.9, 3.0], [0.0, 0.0, 0.0, 1.0]]'
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
for f in tilt.nii tilt.nrrd tilt.mha tilt.tif tilt.npy; do
    fails 6 '' runnel render tilt $f --strict -y
    expect_eq "$f" "$(grep -c "lost: '$f': what DICOM says of patient, study, series" err)" 1
done
fails 6 "slices lie at uneven distances: where they lie is left out" runnel render gap gap.nii --strict

begin "every element of DICOM arrives in DICOM, or is named"
if python3 -c 'import pydicom' 2>/dev/null; then
    headers make_dicom 2>/dev/null
    for f in explicit implicit; do
        says "lost: 'd_$f.dcm': . elements* of the DICOM header [a-z]* left out: " \
            runnel render $f.dcm d_$f.dcm
        expect_eq "$f" "$(headers compare_dicom $f.dcm d_$f.dcm err 2>/dev/null)" ''
        expect_eq "dcmtk" "$(dcmdump d_$f.dcm 2>&1 >/dev/null | grep -c '^[EWF]:')" 0
    done
else
    skip "pydicom is not there"
fi

begin "Analyze 7.5 of nibabel, both byte orders and SPM's: samples, sides and spacing; no orientation is made up"
"$PYTHON" - <<'PY'
import nibabel, numpy as np
from nibabel.analyze import AnalyzeImage
from nibabel.spm2analyze import Spm2AnalyzeImage
from nibabel.spm99analyze import Spm99AnalyzeImage
v = np.random.default_rng(3).integers(-9000, 9000, (5, 4, 3, 2))
for name, kind, dtype, order, samples in (
        ("small", AnalyzeImage, "u1", "<", v[..., 0] % 256), ("big", AnalyzeImage, "i2", ">", v),
        ("float", AnalyzeImage, "f4", ">", v[..., 0] / 7), ("whole", AnalyzeImage, "i4", "<", v[..., 1]),
        ("spm99", Spm99AnalyzeImage, "i2", "<", v[..., 0]), ("spm2", Spm2AnalyzeImage, "i2", ">", v)):
    header = kind.header_class(endianness=order)
    header.set_data_dtype(dtype)
    image = kind(samples * 0.5 if kind is not AnalyzeImage else samples.astype(dtype), None, header)
    image.header.set_zooms((2, 3, 4, 1)[:samples.ndim])
    image.header["descrip"], image.header["extents"] = b"the scanner", 16384
    if name != "small":
        image.header["patient_id"] = b"P7"
    if kind is not AnalyzeImage:
        image.header["origin"] = 3, 2, 1, 0, 0
    nibabel.save(image, name + ".img")
open("radiance.hdr", "wb").write(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 5\n" + bytes([9, 99, 200, 130]) * 20)
open("envi.hdr", "w").write("ENVI\nsamples = 5\nlines = 4\nbands = 3\n" + "; more\n" * 60)
PY
for f in small big float whole spm99 spm2; do
    says "lost: '$f.hdr': Analyze does not tell its orientation and place" runnel render $f.hdr $f.nii -d none
    case $f in
    spm*) expect_message "and SPM's origin (voxel 3 2 1)" ;;
    esac
    [ $f = small ] || expect_message "lost: .* field.* Analyze header.*patient_id"
    expect_python - $f <<'PY'
import sys
import nibabel, numpy as np
image, theirs = nibabel.load(sys.argv[1] + ".nii"), nibabel.load(sys.argv[1] + ".img")
got, want, h = image.dataobj.get_unscaled(), theirs.dataobj.get_unscaled(), image.header
assert got.shape == want.shape and (got == want).all(), "other samples"
assert list(h["pixdim"][1:4]) == [2, 3, 4] and (h["qform_code"], h["sform_code"]) == (0, 0), "spacing or place"
assert h["descrip"].tobytes().startswith(b"the scanner"), "who made it"
assert np.float32(image.dataobj.slope) == np.float32(theirs.dataobj.slope), "slope"
assert (image.dataobj.slope != 1) == sys.argv[1].startswith("spm"), "no slope"
PY
done
refuses 3 "is no video or image\|no picture could be decoded" runnel info envi.hdr # by FFmpeg, as before
run runnel info radiance.hdr # FFmpeg reads it or not
! grep -q 'volume\|Analyze\|NIfTI' out err || complain "Radiance is taken for Analyze"
