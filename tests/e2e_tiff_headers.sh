#!/bin/sh
# Headers of TIFFs: each field arrives, or a line names it.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
headers() { python3 "$root/tests/tiff_headers.py" "$@"; }
headers make

kept() { # file, fields that the line names, names that compare skips, options: all else arrives
    file=$1 lost=$2 skip=$3
    shift 3
    # shellcheck disable=SC2068
    ok runnel render "$file" "of_$file" -y $@
    expect_eq "$file $*: lost" "$(sed -n 's/.*TIFF header .* left out: //p' err)" "$lost"
    [ -n "$lost" ] || expect_eq "$file $*: lines" "$(grep -c lost: err)" 0
    expect_eq "$file $*" "$(headers compare "$file" "of_$file" "$skip")" ''
}

begin "tags of the first page, of photos and of both endiannesses arrive; a description gives way to ImageJ's lines"
for f in pages swapped photo; do kept $f.tif ImageDescription ImageDescription; done
ok runnel render pages.tif page_%d.tif -q
ok runnel render 'page_%d.tif' joined.tif --strict
expect_eq "files of pages" "$(headers compare pages.tif joined.tif ImageDescription)" ''
for f in deep dots plain; do kept $f.tif '' ''; done
python3 -c "import numpy, tifffile
for i in range(3): tifffile.imwrite('d%d.tif' % i, numpy.zeros((7, 9)), description='x' * (i == 1) or None, metadata=None)"
ok runnel render d%d.tif from.tif --strict
says "left out: ImageDescription" runnel render d%d.tif from.tif --from 1f -y
kept strange.tif 'EXIF, tag 65000' ExifTag,65000

begin "tags of places go with a crop, and are named; a value for no data goes with the values"
geo="ModelPixelScale, ModelTiepoint, GeoKeyDirectory, GeoDoubleParams"
kept deep.tif "$geo, GeoAsciiParams" "GeoAsciiParamsTag,$(echo "$geo" | sed 's/, /Tag,/g')Tag" --crop 4x4+1+1
kept deep.tif GDAL_NODATA GDAL_NODATA -f invert

begin "lines of ImageJ arrive, lengths in the unit of the file, and its tag; labels follow their pictures"
kept imagej.tif '' ''
kept imagej_swapped.tif '' ''
kept imagej.tif "cf, c0, c1, c2, vunit, Ranges" Ranges,cf,c0,c1,c2,vunit -f invert
kept imagej.tif 'xorigin, yorigin, ROI, Overlays' ROI,Overlays,xorigin,yorigin,XResolution,YResolution --rotate 90
sizes=images,channels,slices,frames,hyperstack,spacing
kept imagej.tif 'zorigin, Ranges, LUTs, Overlays' Labels,Ranges,LUTs,Overlays,zorigin,$sizes --from 4f
kept imagej.tif "Labels, Overlays" Labels,Overlays,$sizes --time 2
ok runnel render imagej.tif last.tif --from 12f -q -y
expect_eq "labels" "$(headers labels last.tif)" "$(headers labels imagej.tif 12)"
ok runnel render imagej.tif label_%02d.tif -q
expect_eq "a label" "$(headers labels label_07.tif)" "$(headers labels imagej.tif 7 8)"

begin "what no other format has is named, and none else"
says "lost: 'o.nrrd': 19 fields of the TIFF header are left out: mode, loop, fps, " runnel render imagej.tif o.nrrd
ok runnel render plain.tif plain.nrrd
expect_eq plain "$(grep -c lost: err)" 0
says "lost: .*1 field of the TIFF header is left out: Resolution" runnel render dots.tif dots.nrrd

begin "an output .ome.tif is an OME-TIFF: axes, sizes, units, names of channels, types"
size="[0.25, 0.125, 0.75, 'µm'] 0.25"
while IFS='|' read -r file options wanted; do
    # shellcheck disable=SC2086
    ok runnel render "$file" of.ome.tif -y $options
    expect_eq "$file $options" "$(headers ome of.ome.tif)" "$wanted"
done <<LIST
bare.ome.tif||True ome TZCYX (2, 4, 3, 7, 9) uint16 $size uint16 [None, None, None] [1, 1, 1]
full.ome.tif||True ome TZCYX (2, 4, 3, 7, 9) uint16 $size uint16 ['DAPI', 'a < b & c', 'GFP'] [1, 1, 1]
full.ome.tif|--time 2|True ome ZCYX (4, 3, 7, 9) uint16 $size uint16 ['DAPI', 'a < b & c', 'GFP'] [1, 1, 1]
imagej.tif||$(headers ome_of_imagej imagej.tif)
photo.tif||True ome YXS (7, 9, 3) uint8 [None, None, None, None] None uint8 [None] [3]
half.tif||True ome ZYX (2, 7, 9) float32 [None, None, None, None] None float [None] [1]
LIST
ok runnel render imagej.tif lines.ome.tif -y -q
ok runnel render lines.ome.tif of_lines.tif -y
expect_eq "lines of ImageJ, by OME" "$(headers compare imagej.tif of_lines.tif unit)" ''
LC_ALL=C sed 's/mode=composite/mode=compos\xeft\x01/' imagej.tif >latin.tif
ok runnel render latin.tif latin.ome.tif -q
expect_eq "Latin-1" "$(python3 -c "import tifffile, xml.etree.ElementTree as xml
print(''.join(xml.fromstring(tifffile.TiffFile('latin.ome.tif').ome_metadata).itertext()))" | grep mode=)" 'mode=composït?'

begin "what of OME-XML another file does not hold is named, and nothing of one that says no more"
kept_ome() { expect_eq "$1" "$(sed -n 's/.*TIFF header .* left out: //p' err)" "$2"; }
for f in bare.tif bare.nrrd; do
    ok runnel render bare.ome.tif of_$f -y
    expect_eq "$f" "$(grep -c lost: err)" 0
done
expect_eq "unit" "$(python3 -c "
import tifffile
m = tifffile.TiffFile('of_bare.tif').imagej_metadata
print(m['unit'], m['spacing'], m['finterval'])")" 'micron 0.75 0.25'
others='Name, AcquisitionDate, Description, Channel Name, Channel Color, Plane DeltaT, Plane PositionX'
for f in nrrd tif; do
    ok runnel render full.ome.tif of_full.$f -y
    kept_ome $f "$others"
done

begin "OME-XML arrives in OME-XML; what is of pictures that are left out, is named"
ok runnel render full.ome.tif of_full.ome.tif -y --strict
expect_eq "others" "$(headers ome_others of_full.ome.tif)" "$(headers ome_others full.ome.tif)"
fails 6 "behind the 2 pictures that 'more.ome.tif' announces are .* as many as 1 picture" \
    runnel render more.ome.tif null: -f median
ok runnel render of_full.ome.tif again.ome.tif -y --strict
expect_eq "again" "$(headers ome_others again.ome.tif)" "$(headers ome_others full.ome.tif)"
ok runnel render full.ome.tif of_full.ome.tif -y --time 2
kept_ome "a time" "Plane DeltaT, Plane PositionX"
ok runnel render full.ome.tif of_full.ome.tif -y --channel 2
kept_ome "a channel" "Channel Name, Channel Color, Plane DeltaT, Plane PositionX"
expect_eq "sizes" "$(headers ome of_full.ome.tif)" "True ome TZYX (2, 4, 7, 9) uint16 $size uint16 [None] [1]"
