#!/bin/sh
# Y'CbCr that does not say its matrix: one rule wherever R'G'B' is made of it, and a line that says so.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

make() { # name, size, options: three pictures in which a wrong matrix shows
    name=$1 size=$2
    shift 2
    clip "$name" "lavfi:testsrc2=s=$size:r=25" -frames:v 3 -pix_fmt yuv420p -c:v ffv1 -level 3 "$@"
}
assumed() { grep -c "does not say how its colours are coded: the matrix of $1 is assumed" err; }

begin "by the size in which it was coded: format=gbrp and PNG are those of a clip that says it"
while read -r size matrix tag options; do
    case $size in +*) [ -n "${WHOLE-}" ] || continue ;; esac
    size=${size#+}
    make bare.mkv "$size"
    make tagged.mkv "$size" -vf setparams=colorspace="$tag"
    for clip in tagged bare; do
        [ $clip = bare ] && lines=1 || lines=0
        ok runnel render $clip.mkv md5: -d none --frames 1 -f format=gbrp $options
        expect_eq "lines, $clip.mkv of $size" "$(assumed "$matrix")" $lines
        mv out $clip.md5
        ok runnel render $clip.mkv $clip.png -d none -y --frames 1 $options
        expect_eq "lines, $clip.png of $size" "$(assumed "$matrix")" $lines
        clip $clip.rgb $clip.png -f rawvideo
    done
    expect_same bare.md5 tagged.md5
    expect_same bare.rgb tagged.rgb
done <<END
1280x720 BT.709 bt709
+1280x544 BT.709 bt709
1280x720 BT.709 bt709 --scale 320x180
720x576 BT.601 smpte170m
+720x578 BT.709 bt709
720x480 BT.601 smpte170m --rotate 90
+720x480 BT.601 smpte170m --scale 1440x960
END

begin "nothing is said where no colours are converted"
make bare.mkv 1280x720
for chain in '' '-f sharpen' '-f gray' '-f format=yuv444p'; do
    ok runnel render bare.mkv md5: -d none --frames 1 $chain
    expect_eq "lines, $chain" "$(grep -c 'is assumed' err)" 0
done

begin "an output whose size suggests another matrix says the one that it has"
while read -r size scale want; do
    make bare.mkv "$size"
    ok runnel render bare.mkv scaled.mkv -y -d none --frames 1 --codec ffv1 $scale
    expect_eq "the tag of $size, $scale" "$(about scaled.mkv stream=color_space)" "$want"
done <<END
1280x720 --scale=320x180 bt709
720x480 --scale=1440x960 smpte170m
1280x720 --scale=1920x1080 unknown
720x480 --rotate=90 smpte170m
720x480 --scale=360x240 unknown
END

begin "a matrix that is not known here is no secret; image files have BT.601 by convention"
make old.mkv 1280x720 -vf setparams=colorspace=smpte240m
says "the matrix of its colours, smpte240m, is not known here: that of BT.709 is taken" \
    runnel render old.mkv md5: -d none --frames 1 -f format=gbrp
clip photo.jp2 lavfi:testsrc2=s=1280x720 -frames:v 1 -pix_fmt yuv420p
ok runnel render photo.jp2 photo.png -d none
expect_eq "lines, photo" "$(grep -c 'is assumed' err)" 0
clip said.mkv photo.jp2 -c:v ffv1 -level 3 -vf setparams=colorspace=smpte170m
run runnel render said.mkv said.png -d none
for f in photo said; do clip $f.rgb $f.png -f rawvideo; done
expect_same photo.rgb said.rgb
