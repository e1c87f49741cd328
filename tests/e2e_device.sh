#!/bin/sh
# The device and the C reference give the same checksums, whatever comes in.
. "$(dirname "$0")/lib.sh"


compare() { # input, chain, options...
    input=$1 chain=$2
    shift 2
    run runnel render "$input" md5: -q -f "$chain" -d none "$@"
    expect_rc 0
    mv out want
    run runnel render "$input" md5: -q -f "$chain" "$@"
    expect_rc 0
    [ -s want ] || complain "no checksums of '$chain'"
    expect_same out want
}

while IFS='|' read -r format size chain; do
    begin "$format $size $chain"
    compare "lavfi:testsrc2=size=$size:rate=25,format=$format" "$chain" --frames 6
    end
done <<'CASES'
yuv420p|177x101|convolution=preset=outline
yuv420p|177x101|convolution=preset=sharpen:planes=7,closing=shape=disk:radius=2
yuv420p10le|176x100|convolution=matrix='1 2 1 2 4 2 1 2 1':border=mirror
yuv422p|99x33|closing=border=zero:shape=cross:radius=3
yuv444p12le|64x64|opening=shape=disk:radius=4:iterations=2
gray|131x67|dilation=radius=31:border=wrap
gray16le|131x67|erosion=shape=disk:radius=9:border=clamp
gbrp|80x60|convolution=preset=emboss:bias=128
rgb24|80x60|erosion
nv12|80x60|convolution=preset=box3:planes=7
rgba|80x60|convolution=preset=sharpen
pal8|80x60|gray,closing
yuv420p|80x60|format=gray,convolution=matrix='.1 .2 .3 .4 .5 .6 .7 .8 .9'
CASES

begin "the slots do not change the pictures"
for n in 1 2 3 8; do
    run runnel render lavfi:testsrc2=size=177x101:rate=25 md5: -q --frames 20 --inflight $n \
        -f convolution=preset=sharpen,closing
    expect_rc 0
    [ -s want.slots ] || cp out want.slots
    expect_same out want.slots
done
end

begin "md5: lines are those of the visible pixels, little-endian"
ffmpeg -v error -y -f lavfi -i testsrc2=s=17x9:r=25,format=gray16le -frames:v 2 -f rawvideo raw
run runnel render lavfi:testsrc2=s=17x9:r=25,format=gray16le md5: -q --frames 2
expect_rc 0
{
    echo "0 0 $(head -c 306 raw | md5sum | cut -d' ' -f1)"
    echo "1 0 $(tail -c 306 raw | md5sum | cut -d' ' -f1)"
} >want
expect_same out want
end

begin "stats are the same on the device and without"
for d in none ''; do
    run runnel stats lavfi:testsrc2=s=65x33:r=25 --frames 5 -q ${d:+-d $d}
    expect_rc 0
    mv out "stats.$d"
done
expect_same stats. stats.none
expect_eq "header" "$(head -n 1 stats.)" \
    "frame,time,plane,mean,variance,min,max,l1,l2,lp,linf,entropy,dot_prev,ncc_prev"
expect_eq "lines" "$(wc -l <stats.)" 16
end

finish
