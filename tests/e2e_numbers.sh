#!/bin/sh
# Frames keep the numbers that they have in the input, whatever was left out in front of them.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
. "$root/tests/window.sh"

# Pictures that last 1 to 6 frames of a camera: their average rate says nothing of their numbers.
make_uneven() { # file, options...
    out=$1
    shift
    clip "$out" lavfi:testsrc2=s=64x48:r=25:d=14 -vf "select='not(mod(n,7))+gt(mod(n,19),12)'" -vsync vfr \
        -c:v libx264 -preset veryfast -pix_fmt yuv420p -g 40 -bf 2 "$@" || complain "cannot make $out"
}

time_of() { # file, frame: since the start of the input, as stats has it
    "$started" stats "$1" -q -d none | awk -F, -v n="$2" '$1 == n && $3 == 0 {print $2}'
}

make_uneven v.mkv
make_uneven v.mp4
make_uneven v.ts -muxdelay 0
clip c.mkv lavfi:testsrc2=s=64x48:r=25:d=8 -c:v libx264 -preset veryfast -pix_fmt yuv420p -g 60
clip h.ts lavfi:testsrc2=s=64x48:r=120:d=2 -c:v libx264 -preset veryfast -pix_fmt yuv420p -bf 3
clip o.mkv lavfi:testsrc2=s=64x48:r=25:d=4 -c:v libx265 -preset ultrafast -pix_fmt yuv420p -x265-params \
    log-level=0:open-gop=1:keyint=25:bframes=4
clip p.mkv -ss 1.3 -i o.mkv -c copy # the pictures in front of the first key have no times
# The sound starts between two ticks of the pictures.
clip m.mkv lavfi:testsrc2=s=64x48:r=25:d=2 lavfi:sine=d=2:r=48000 -c:v libx264 -pix_fmt yuv420p \
    -preset veryfast -g 25 -bf 3 -c:a aac
clip s%d.mp4 m.mkv -c copy -f segment -segment_time 1 -reset_timestamps 1
mkdir -p images
clip images/%02d.png lavfi:testsrc2=s=64x48:r=25 -frames:v 12 -pix_fmt gray
"$started" render 'images/*.png' pages.tif -q -d none

begin "--from: noise, and the numbers of md5: and stats, are those of the whole run"
set -f
while read -r in frame from; do
    [ "$from" != time ] || from=$(time_of "$in" "$frame")
    for words in "render $in md5: -f noise" "stats $in -f noise"; do
        ok runnel $words -q -d none
        awk -F '[ ,]' -v n="$frame" '$1 + 0 >= n && $1 != "frame"' out | cut -d, -f1-12 >want
        expect_file want
        ok runnel $words -q -d none --from "$from"
        grep -v frame out | cut -d, -f1-12 >got
        expect_same got want
    done
done <<END
v.mkv 100 time
v.mkv 100 100f
v.mp4 100 time
v.ts 100 time
h.ts 80 time
p.mkv 37 time
s0.mp4 8 time
c.mkv 150 6
c.mkv 150 150f
images/%02d.png 6 0.24
images/*.png 7 7f
pages.tif 7 7f
END
set +f

begin "the first frame of a range has no frame before it"
run runnel stats c.mkv -q -d none --from 150f --frames 2
expect_eq "dot_prev" "$(awk -F, 'NR > 1 {print $1, $13 != ""}' out | uniq | tr '\n' ' ')" "150 0 151 1 "

begin "--renumber counts from 0"
for from in 4 100f; do
    ok runnel stats c.mkv -q -d none --renumber --from $from --frames 2
    expect_eq "frames from $from" "$(cut -d, -f1,2 out | uniq | tr '\n' ' ')" "frame,time 0,0.000000 1,0.040000 "
done
run runnel render v.mkv md5: -q -d none --renumber --from 3 --frames 1
expect_eq "the first frame" "$(cut -d' ' -f1 out | uniq)" 0
run runnel render c.mkv new%03d.png -q -d none --renumber --from 4 --frames 2
expect_file new000.png new001.png
expect_no_file new100.png

begin "names of images carry the numbers; numbered inputs keep their own"
ok runnel render c.mkv p%03d.png -q -d none --from 4 --frames 2
expect_file p100.png p101.png
expect_no_file p000.png
run runnel render pages.tif s%02d.png -q -d none --from 7f --frames 1
expect_file s07.png
run runnel render images/%02d.png i%02d.png -q -d none --from 7f --frames 1
expect_file i08.png # images/ begins with 01

begin "--to counts frames of the input, wherever --from starts"
for from in 4 100f; do
    run runnel render c.mkv md5: -q -d none --from $from --to 103f
    expect_eq "frames from $from" "$(cut -d' ' -f1 out | uniq | tr '\n' ' ')" "100 101 102 "
done

begin "--replay means the same frames with --from"
printf '%s\n' '{"chain":"noise=amount=0"}' '{"frame":110,"to":120,"stage":0,"param":"amount","value":"0.5"}' >tape
run runnel render v.mkv md5: -q -d none --replay tape
awk '$1 >= 100' out >want
prints want runnel render v.mkv md5: -q -d none --replay tape --from "$(time_of v.mkv 100)"
says '1 change for frames behind the last one, number 104' runnel render v.mkv null: -d none --replay tape --to 105f

begin "play: behind a seek frames have their own numbers, and a recording tunes those that were seen"
play_paused v.mkv -f noise,threshold=level=100:enable=0 --record seen --untimed
press Home Right
press Tab Tab Tab Tab x period period
n=$(frame)
press x period period
press Left period
quit
[ "$n" -gt 40 ] || complain "the seek led to frame $n"
wants runnel render v.mkv md5: -q --replay seen
expect_last_wanted 1
