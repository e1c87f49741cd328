#!/bin/sh
# Headers of TIFFs: each field arrives, or a line names it.
. "$(dirname "$0")/lib.sh"
export RUNNEL_DEVICE=none # what is tested here knows no device
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
for f in deep dots plain; do kept $f.tif '' ''; done
kept strange.tif 'EXIF, tag 65000' ExifTag,65000

begin "tags of places go with a crop, and are named; a value for no data goes with the values"
geo="ModelPixelScale, ModelTiepoint, GeoKeyDirectory, GeoDoubleParams"
kept deep.tif "$geo, GeoAsciiParams" "GeoAsciiParamsTag,$(echo "$geo" | sed 's/, /Tag,/g')Tag" --crop 4x4+1+1
kept deep.tif GDAL_NODATA GDAL_NODATA -f invert

begin "lines of ImageJ arrive, lengths in the unit of the file; its tag is named"
own=Info,Labels,Ranges,LUTs,ROI,Overlays,Properties
kept imagej.tif IJMetadata $own
kept imagej_swapped.tif IJMetadata $own
kept imagej.tif "cf, c0, c1, c2, vunit, IJMetadata" $own,cf,c0,c1,c2,vunit -f invert
kept imagej.tif 'xorigin, yorigin, IJMetadata' $own,xorigin,yorigin,XResolution,YResolution --rotate 90
kept imagej.tif 'zorigin, IJMetadata' $own,zorigin,images,channels,slices,frames,hyperstack,spacing --from 4f

begin "what no other format has is named, and none else"
says "lost: 'o.nrrd': 13 fields of the TIFF header are left out: mode, loop, fps, " runnel render imagej.tif o.nrrd
for f in plain dots; do
    ok runnel render $f.tif $f.nrrd
    expect_eq "$f" "$(grep -c lost: err)" 0
done

finish
