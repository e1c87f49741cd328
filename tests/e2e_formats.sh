#!/bin/sh
# Every kind of pixel format that FFmpeg decodes reaches the filters with the samples it has, in one
# conversion: frames that formats.py packs byte by byte against the planes that it packed. One of those that the same
# code reads is enough for each size; WHOLE=1 has all of them.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

# The frames reach the program raw: few containers know half of the formats.
source_of() { # name, size
    case $1 in
    pal8a) format=pal8 ;;
    *) format=$1 ;;
    esac
    printf 'lavfi:movie=%s.raw:f=rawvideo:format_opts=pixel_format=%s\\\\:video_size=%s' "$1" $format "$2"
}

expect_planes() { # name, format to compute in, size
    prints "$1.want" runnel render "$(source_of "$1" "$3")" md5: -q -d none --metrics m.json -y
    grep -q "\"pixel_format\": *\"$2\"" m.json || complain "$1 is not computed in $2: $(grep pixel_format m.json)"
}

"$PYTHON" "$root/tests/formats.py" 33 17 >list
while read -r name ours; do
    begin "$name: $ours, sample for sample"
    expect_planes "$name" "$ours" 33x17
done <list

kinds='nv21|nv16|p010be|p210|monow|pal8 |yuv420p |yuv422p10be|yuyv422|yvyu422|yuva420p'
[ -z "${WHOLE-}" ] || kinds='nv|p0|p2|mono|pal|.*4[12][012]'
for size in 1x1 5x2; do
    begin "subsampled and bit-packed ones at $size"
    "$PYTHON" "$root/tests/formats.py" ${size%x*} ${size#*x} | grep -E "^($kinds)" >list
    while read -r name ours; do
        expect_planes "$name" "$ours" $size
    done <list
done

# What no format of ours holds as it is: FFmpeg's own conversion, whose luma is the input's.
for case in "yuv411p yuv422p 1083" "yuv410p yuv420p 803" "yuv440p yuv444p 1443"; do
    set -- $case
    begin "$1: $2 as FFmpeg converts it"
    "$PYTHON" -c "import random; open('$1.raw', 'wb').write(random.Random(1).randbytes($3))"
    clip want.raw -f rawvideo -pix_fmt $1 -video_size 37x19 -i $1.raw -pix_fmt $2 \
        -sws_flags bicubic+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact -f rawvideo
    ok runnel render "$(source_of $1 37x19)" got.nut --codec rawvideo -q -y
    clip got.raw got.nut -c copy -f rawvideo
    expect_eq "format" "$(about got.nut stream=pix_fmt)" $2
    expect_same got.raw want.raw
    head -c 703 $1.raw >want
    expect_printed want head -c 703 got.raw
done

begin "and back: what is written is what was read, byte for byte"
"$PYTHON" "$root/tests/formats.py" 34 18 >list
more="nv12 nv16 uyvy422 bgr24 rgba bgra rgb48le bgr48le rgba64le rgba64be gray10le yuv420p16be gbrp"
for name in nv21 yuyv422 rgb24 argb rgb48be bgra64le gray16be yuv422p10be yuva420p ya8 gbrap16be ${WHOLE:+$more}; do
    ok runnel render "$(source_of $name 34x18)" out.nut --codec rawvideo --pix-fmt $name -q -y
    clip out.raw out.nut -c copy -f rawvideo
    expect_same out.raw $name.raw
done

begin "a chain leaves alpha alone, from PNG to PNG"
for format in rgba rgba64be ya8 ya16be; do
    clip in.png -f rawvideo -pix_fmt $format -video_size 34x18 -i $format.raw
    ok runnel render in.png out.png -f erosion,convolution=preset=sharpen -q -y
    expect_eq "format" "$(about out.png stream=pix_fmt)" $format
    for f in in out; do
        clip $f.alpha $f.png -vf alphaextract -f rawvideo
        clip $f.raw $f.png -f rawvideo
    done
    expect_same out.alpha in.alpha
    cmp -s out.raw in.raw && complain "$format: nothing was filtered"
done

begin "floating-point images"
numpy <<'PY'
v = np.arange(15 * 3, dtype='<f4').reshape(15, 3) * 1400 / 65535
v[0, :2] = -7, 1.5
open('in.pfm', 'wb').write(b'PF\n15 1\n-1\n' + v.tobytes())
v[:, [1, 2, 0]].T.tofile('want.raw')
(np.rint(np.clip(v[:, [1, 2, 0]].T, 0, 1).astype('f8') * 65535)).astype('<u2').tofile('levels.raw')
PY
for fmt in '' 'gbrp16le'; do
    ok runnel render in.pfm out.nut --codec rawvideo -y ${fmt:+--pix-fmt $fmt}
    clip out.raw out.nut -c copy -f rawvideo
    expect_same out.raw $([ "$fmt" ] && echo levels.raw || echo want.raw)
done
ok runnel render in.pfm out.pfm -y
into want runnel render out.pfm md5: -q
prints want runnel render in.pfm md5: -q
refuses 2 'floating-point samples.*--pix-fmt' runnel render in.pfm nothing.png
