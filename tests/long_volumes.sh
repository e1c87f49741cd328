#!/bin/sh
# Every reader's volume, written by every writer that can hold it, and read by other people's programs.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
. "$root/tests/volumes.sh"

expect_every_volume <<'LIST'
ct.nii.gz,ct2.nii,qform.nii,pair.hdr,big.nii,ct.nrrd,packed.nrrd ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
apart.nhdr,plain.mha,apart.mhd,ct.dicom ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
from_ct.nrrd ct nii,nii.gz,mha,npy,tif,dcm
from_ct.mhd ct nii,nii.gz,nrrd,mha,npy,tif,dcm
from_ct.tif ct nii,nii.gz,nrrd,nhdr,mha,npy,dcm
real.nii real nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif
times.nii times nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
from_times.mha times nii,nii.gz,nrrd,nhdr,mhd,npy,tif,dcm
colour.nii colour nii,nrrd,mha,npy,tif,dcm
hyper.tif,ome.ome.tif,XYTCZ.ome.tif,XYZTC.ome.tif,scrambled.ome.tif channels nii,nrrd,nhdr,mha,npy,tif
blocks.ome.tif,part0.ome.tif,part1.ome.tif,part?.ome.tif channels nii,nrrd,nhdr,mha,npy,tif
bare1.ome.tif channels nii,nrrd,nhdr,mha,npy,tif
from_channels.nrrd channels nii,nhdr,mha,npy,tif
pyramids.tif,deep.npy,fortran.npy deep nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
times.npy times npy
slice.npy first nii,nii.gz,nrrd,nhdr,mha,mhd,npy
colour.nrrd rgb nii,nrrd,mha,npy,tif,dcm
ct.mat,new.mat signed nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
whole.mat whole nii,nii.gz,nrrd,nhdr,mha,mhd,npy
whole.mat integers tif
packed.mat,double.mat plain nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif
four.mat rounded nii,nii.gz,nrrd,nhdr,mha,mhd,npy
times.mat,newtimes.mat,packedtimes.mat film nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
echoes.mat heard nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif
two.mat deep nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm --series deep
two.mat deep nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm --series 1
coils.cfl,slices.cfl loud nii,mha,mhd,npy
coils.hdr coil nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif --channel 2
maps.cfl map nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif --series 2 --channel 1
many.cfl coil nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif --series 2 --channel 1
vector.nrrd vector nii,mha,mhd,npy
hyper.tif some nii,nrrd,nhdr,mha,npy,tif --channel 2-
hyper.tif one nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif --channel 3 --time 2
times.nii film nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm --time all
pixels.tif,layers.tif vector npy
images.ome.tif channels nii,nrrd,nhdr,mha,npy,tif --series 1
images.ome.tif deep nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm --series preview
LIST
