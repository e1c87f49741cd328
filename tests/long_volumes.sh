#!/bin/sh
# Every reader's volume, written by every writer that can hold it, and read by other people's programs.
. "$(dirname "$0")/lib.sh"
. "$root/tests/volumes.sh"

expect_every_volume <<'LIST'
ct.nii.gz ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
from_ct.nrrd ct nii,nii.gz,mha,npy,tif,dcm
from_ct.mhd ct nii,nii.gz,nrrd,mha,npy,tif,dcm
from_ct.tif ct nii,nii.gz,nrrd,nhdr,mha,npy,dcm
ct2.nii ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
qform.nii ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
pair.hdr ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
big.nii ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
real.nii real nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif
times.nii times nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
from_times.mha times nii,nii.gz,nrrd,nhdr,mhd,npy,tif,dcm
colour.nii colour nii,nrrd,mha,npy,tif,dcm
ct.nrrd ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
packed.nrrd ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
apart.nhdr ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
plain.mha ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
apart.mhd ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
hyper.tif channels nii,nrrd,nhdr,mha,npy,tif
ome.ome.tif channels nii,nrrd,nhdr,mha,npy,tif
from_channels.nrrd channels nii,nhdr,mha,npy,tif
pyramids.tif deep nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
deep.npy deep nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
fortran.npy deep nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
times.npy times npy
slice.npy first nii,nii.gz,nrrd,nhdr,mha,mhd,npy
colour.nrrd rgb nii,nrrd,mha,npy,tif,dcm
ct.dicom ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
ct.mat signed nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
new.mat signed nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
whole.mat whole nii,nii.gz,nrrd,nhdr,mha,mhd,npy
whole.mat integers tif
packed.mat plain nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif
double.mat plain nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif
four.mat rounded nii,nii.gz,nrrd,nhdr,mha,mhd,npy
times.mat film nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
newtimes.mat film nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
packedtimes.mat film nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
echoes.mat heard nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif
two.mat deep nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm --series deep
two.mat deep nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm --series 1
coils.cfl loud nii,mha,mhd,npy
coils.hdr coil nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif --channel 2
slices.cfl loud nii,mha,mhd,npy
maps.cfl map nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif --series 2 --channel 1
many.cfl coil nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif --series 2 --channel 1
vector.nrrd vector nii,mha,mhd,npy
hyper.tif some nii,nrrd,nhdr,mha,npy,tif --channel 2-
hyper.tif one nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif --channel 3 --time 2
times.nii film nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm --time all
XYTCZ.ome.tif channels nii,nrrd,nhdr,mha,npy,tif
pixels.tif vector npy
layers.tif vector npy
XYZTC.ome.tif channels nii,nrrd,nhdr,mha,npy,tif
scrambled.ome.tif channels nii,nrrd,nhdr,mha,npy,tif
blocks.ome.tif channels nii,nrrd,nhdr,mha,npy,tif
part0.ome.tif channels nii,nrrd,nhdr,mha,npy,tif
part1.ome.tif channels nii,nrrd,nhdr,mha,npy,tif
part?.ome.tif channels nii,nrrd,nhdr,mha,npy,tif
bare1.ome.tif channels nii,nrrd,nhdr,mha,npy,tif
images.ome.tif channels nii,nrrd,nhdr,mha,npy,tif --series 1
images.ome.tif deep nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm --series preview
LIST

finish
