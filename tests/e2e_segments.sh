#!/bin/sh
# A render in segments: the bytes of one run, whatever it is made of, and nothing else ever. WHOLE=1 has more encoders.
# shellcheck disable=SC2086 # words
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
quick='--codec-opts preset=ultrafast' # for x264, which takes most of the time
sound='-f lavfi -i sine=frequency=440:duration=21'
for name in 's 48x32' 'a 96x64'; do # a: what x265 takes without fault, and for runs that last until they are killed
    clip ${name% *}.mp4 lavfi:testsrc2=size=${name#* }:rate=25:duration=21 $sound -vf noise=alls=20:allf=t -c:v libx264 \
        -bf 3 -x264-params open-gop=1:keyint=60 -c:a aac
done
clip vfr.mp4 s.mp4 -an -vf 'settb=1/1000,setpts=PTS+4*mod(N*N\,7)' \
    -fps_mode vfr -enc_time_base 1:1000 -video_track_timescale 90000 -c:v libx264
clip edit.mp4 -ss 1.03 -i s.mp4 -c copy
clip wrap.ts a.mp4 -c copy -output_ts_offset 95430 -muxdelay 0
clip once.ts s.mp4 -an -t 11 -c copy
cat once.ts once.ts >twice.ts # its clock starts again
clip one.mp4 s.mp4 -an -frames:v 1 -c copy
clip front.mp4 s.mp4 -c copy -movflags +faststart
clip all.ts lavfi:testsrc2=size=48x32:rate=25:duration=21 -c:v mpeg2video -bf 2 -g 30
clip open.mp4 -ss 1 -i all.ts -c copy -use_editlist 0 # its first two pictures cannot be decoded

segments() { # source, output, N, options: plans, renders the last segment first, and joins
    in=$1 out=$2 n=$3
    shift 3
    rm -f ./*.cell-* "$out"
    into job.json runnel plan "$in" "$out" -n "$n" "$@"
    n=$(jq '.segments | length' job.json)
    for i in $(seq "$n" -1 1); do ok runnel render --plan job.json --segment "$i/$n" -q; done
    ok runnel join job.json -q
}

same() { # source, output, N, options: as one run
    segments "$@"
    in=$1 out=$2
    shift 3
    ok runnel render "$in" "one-$out" --threads 2 -q -y "$@"
    cmp -s "$out" "one-$out" || complain "$in $out $*: not the bytes of one run"
}

begin "encoders restart after whole groups of pictures, and decoding times rise"
for grid in on off; do
    ok runnel render vfr.mp4 $grid.mkv --codec libx264 --codec-opts sc_threshold=0 -q --grid $grid
    entries $grid.mkv v packet=pts_time,dts_time,flags >$grid.packets
done
expect_eq "pictures" "$(wc -l <on.packets)" "$(wc -l <off.packets)"
expect_eq "key frames" "$(grep -n K on.packets | cut -d : -f 1 | tr '\n' ' ')" "1 251 501 "
awk -F , 'NR > 3 && ($2 <= last || $2 > $1) { print } { last = $2 }' on.packets >wrong
[ -s wrong ] && complain "decoding times: $(head -n 3 wrong)"
expect_same_of vfr.mp4 on.mkv times_of

begin "joined segments are the bytes of one run"
while read -r in out n options; do
    case $in in +*) [ -n "${WHOLE-}" ] || continue ;; esac
    same "${in#+}" "$out" "$n" $options -f median,noise=sigma=5,closing=slices=2 --threads 2
done <<RUNS
s.mp4 o.mp4 3
+s.mp4 o.mov 2 --codec prores_ks
s.mp4 o.mkv 7 --codec ffv1
vfr.mp4 o.mkv 2 $quick
+edit.mp4 o.ts 3 $quick
wrap.ts o.mkv 2 --codec libx265 --codec-opts preset=ultrafast
+twice.ts o.mkv 2 --codec libx264 $quick
one.mp4 o.mp4 4 $quick
+open.mp4 o.mkv 2 $quick
+s.mp4 o.webm 3 --codec libvpx-vp9 --codec-opts cpu-used=8:deadline=realtime
s.mp4 o.mkv 2 --from 3.1 --to 18 --codec mjpeg
+s.mp4 o.mkv 2 --codec libx264 --codec-opts g=250:rc-lookahead=250:bf=16:threads=64:preset=veryfast
+s.mp4 o.mkv 1 --codec libx264 --codec-opts g=2147483647:preset=ultrafast
+s.mp4 o.mkv 2 --codec cljr
+s.mp4 o.nut 2 --codec speedhq
RUNS
[ -z "${WHOLE-}" ] || same s.mp4 o.tif 2 -f format=gray --renumber --from 20f
same s.mp4 o.nii 2 -f 'format=gray,closing=slices=1'
segments s.mp4 'o_%03d.png' 3 --frames 300 -f noise=sigma=5
ok runnel render s.mp4 'p_%03d.png' --frames 300 -q -f noise=sigma=5
for n in 000 249 250 299; do expect_same o_$n.png p_$n.png; done

cat >recording <<'LINES'
{"chain":"blur=sigma=2"}
{"frame":100,"stage":0,"param":"sigma","value":"1.5"}
{"frame":240,"chain":"median,closing=slices=3"}
{"frame":262,"stage":1,"param":"radius","value":"3"}
{"frame":400,"chain":"noise=sigma=5"}
LINES
head -n 2 recording >values
[ -z "${WHOLE-}" ] || { same s.mp4 o.mkv 2 --replay values $quick && same s.mp4 o.mkv 3 --replay recording $quick; }
same s.mp4 o.mkv 2 --replay recording --from 30f --renumber $quick
expect_eq "frames" "$(entries o.mkv v packet=pts | wc -l)" 495
for format in csv ${WHOLE:+json}; do
    chain="median=slices=1,stats=file=one.$format:format=$format,gray"
    segments s.mp4 o.mkv 3 -f $chain --codec mjpeg
    mv one.$format table
    ok runnel render s.mp4 one-o.mkv -q -y -f $chain --codec mjpeg
    expect_same o.mkv one-o.mkv
    expect_same one.$format table
done

begin "a device computes what another one would"
segments s.mp4 o.mkv 3 -f median,noise=sigma=5 --codec ffv1
ok runnel render -d none s.mp4 one-o.mkv --threads 2 -q -y -f median,noise=sigma=5 --codec ffv1
expect_same o.mkv one-o.mkv
into plan runnel plan s.mp4 o.mkv -n 3 -f median,noise=sigma=5 --codec ffv1
expect_same plan job.json
rm o.mkv.cell-000001
ok env SLURM_ARRAY_TASK_ID=2 "$started" render --plan plan --segment slurm -q -d none
ok runnel join plan -q -y
expect_same o.mkv one-o.mkv

begin "what is complete is left alone; what was killed goes on behind its last cell"
segments a.mp4 o.mkv 2 -f median --codec ffv1 # 520 frames are 3 cells
cp o.mkv whole.mkv
stat -c %i ./o.mkv.cell-* >before
says 'segment 2/2 of .job.json. is complete: 2 cells' runnel render --plan job.json --segment 2/2
stat -c %i ./o.mkv.cell-* >after
expect_same before after
rm o.mkv o.mkv.cell-000001 o.mkv.cell-000002
"$RUNNEL" render --plan job.json --segment 2/2 -q --progress progress &
frames_written progress 1
kill -9 $!
wait $! 2>/dev/null
expect_no_file o.mkv.cell-000002
fails 6 'segment 2 of 2 is missing, from cell 1 on' runnel join job.json
expect_no_file o.mkv o.partial.mkv
ok runnel render --plan job.json --segment 2/2 -q
! runnel join job.json 2>&1 | grep -E "median|reference" || complain "a join reports filters"
expect_same o.mkv whole.mkv

begin "segments side by side, and a run that was cut off, make the bytes of one run and leave nothing else"
mkdir here
ok sh -c 'true & exec "$@"' sh "$RUNNEL" render a.mp4 here/o.mkv -f median --codec ffv1 --segments 3 -q # has a child
expect_same here/o.mkv whole.mkv
fails 4 'exists; -y overwrites it' runnel render a.mp4 here/o.mkv --resume
"$RUNNEL" render a.mp4 here/r.mkv -f median --codec ffv1 --resume -q &
wait_for $patience test -e here/r.mkv.cell-000000
kill $!
ends $! 143
expect_no_file here/r.mkv
ok runnel render a.mp4 here/r.mkv -f median --codec ffv1 --resume -q
expect_same here/r.mkv whole.mkv
expect_eq "files" "$(ls here)" "$(printf 'o.mkv\nr.mkv')"
refuses 2 'cannot be cut into segments' runnel render a.mp4 here/o.gif --segments 2
echo mine >t.csv
for options in "-f stats=file=t.csv" "--metrics t.csv"; do
    fails 4 "'t.csv' exists" runnel render a.mp4 here/t.mkv --segments 2 $options
done
cp t.csv here/t.mkv.cell-000000
fails 4 "it exists, and is no cell" runnel render a.mp4 here/t.mkv --resume
expect_same t.csv here/t.mkv.cell-000000
rm here/t.mkv*
{ head -c 9000 s.mp4; head -c 40 /dev/zero; tail -c +9041 s.mp4; } >bad.mp4
head -c $(($(wc -c <front.mp4) * 6 / 10)) front.mp4 >cut.mp4 # its header has all frames
while read -r in options; do
    case $in in +*) [ -n "${WHOLE-}" ] || continue ;; esac
    in=${in#+}
    fails 6 'damaged' runnel render $in here/b.mkv --segments 3 -q -y $options
    cp rows table
    fails 6 'damaged' runnel render $in one.mkv -q -y $options
    expect_same rows table
    expect_same here/b.mkv one.mkv
    rm here/b.mkv # and nothing else is there, see below
done <<RUNS
bad.mp4 -f stats=file=rows $quick
cut.mp4 -f closing=slices=1,stats=file=rows --codec ffv1
+cut.mp4 --replay recording $quick
RUNS
cp a.mp4 ./-a.mp4
says "rendering 5.. frames in 3 segments, 2 at a time" runnel render -f median --codec ffv1 --segments 2 -- -a.mp4 -o.mkv
expect_same ./-o.mkv whole.mkv
echo notes >here/n.mkv.plan
fails 4 "'here/n.mkv.plan': it exists, and is no plan" runnel render a.mp4 here/n.mkv --resume -q
expect_eq "the user's file" "$(cat here/n.mkv.plan)" notes
: >here/l.mkv.plan
fails 4 'another run is rendering' flock here/l.mkv.plan "$started" render a.mp4 here/l.mkv --resume -q
mkfifo pipe # which the plan waits for
"$RUNNEL" render pipe here/f.mkv --resume -q &
wait_for $patience test -e here/f.mkv.plan
kill -HUP $!
ends $! 129
says 'confinement of this run: none' runnel render s.mp4 here/u.mkv --resume --unconfined -v $quick
expect_message 'rendering 525 frames in' '525 frames, .* fps; in all [0-9.]* s$'
! grep 'per frame\|bounds' err || complain "the table is of the join alone"
nohup "$RUNNEL" render a.mp4 here/h.mkv -f median --codec ffv1 --resume -q >nohup 2>&1 &
wait_for $patience test -e here/h.mkv.cell-000000
kill -HUP $!
ends $! 0
expect_same here/h.mkv whole.mkv

begin "what is damaged, of another plan or of another input is named, and nothing is written"
rm o.mkv
cp o.mkv.cell-000001 kept
for how in 'truncate -s -1' 'truncate -s 40' "printf x | dd bs=1 seek=9000 conv=notrunc status=none of=" \
    "ln -sf $PWD/pipe"; do
    case $how in
    *of=) eval "${how}o.mkv.cell-000001" ;;
    *) $how o.mkv.cell-000001 ;;
    esac
    fails 6 "o.mkv.cell-000001'\(: it is no regular file\| ends too early\| is damaged\)" runnel join job.json
    expect_no_file o.mkv o.partial.mkv
    [ ! -p o.mkv.cell-000001 ] || fails 4 "is no cell" runnel render --plan job.json --segment 2/2 -q
    cp --remove-destination kept o.mkv.cell-000001
done
echo median >pipe &
fails 3 "'pipe': it is no regular file" runnel plan a.mp4 o.mkv -f @pipe
into here/d.plan runnel plan a.mp4 here/d.mkv -n 1 -f median --codec ffv1
ok runnel render --plan here/d.plan --segment 1/1 -q
printf x | dd bs=1 seek=9000 conv=notrunc status=none of=here/d.mkv.cell-000000
fails 6 "cell-000000' is damaged" runnel render a.mp4 here/d.mkv -f median --codec ffv1 --resume -q
ok runnel render a.mp4 here/d.mkv -f median --codec ffv1 --resume -q # it was removed
expect_same here/d.mkv whole.mkv
into other runnel plan a.mp4 o.mkv -n 2 -f median=radius=2 --codec ffv1
fails 6 "is of another plan" runnel join other
expect_no_file o.mkv
sed 's/median/blur/' job.json >changed
refuses 2 'is no plan, or was changed' runnel join changed
sed 's/"version": "[^"]*"/"version": "0.0.1"/' job.json >older
refuses 2 'is no plan, or was changed' runnel join older
sed 's/"cells": 2/"cells": 9223372036854775807/' job.json >more
refuses 2 'is no plan, or was changed' runnel render --plan more --segment 2/2
clip 'p%03d.bmp' lavfi:testsrc2=size=32x32:rate=25:duration=2 -frames:v 50
into pictures runnel plan 'p%03d.bmp' o.mkv -n 2 --codec ffv1
cp p040.bmp p010.bmp
fails 3 "is another file than when" runnel render --plan pictures --segment 1/1
mv a.mp4 moved.mp4
cp vfr.mp4 a.mp4
fails 3 "'a.mp4' is another file than when 'job.json' was made" runnel join job.json
fails 3 "'a.mp4' is another file" runnel render --plan other --segment 1/2
mv moved.mp4 a.mp4
refuses 2 '--segment takes I/2' runnel render --plan job.json --segment 3/2
refuses 2 '--segment takes I/2' runnel render --plan job.json --segment 1/3
refuses 2 'no task of an array' runnel render --plan job.json --segment slurm

begin "what cannot be cut is refused"
echo '{"chain":"stats=file=t.csv"}' >tables.jsonl
while read -r what why; do
    refuses 2 "cannot be cut into segments: .*$why" runnel plan a.mp4 $(echo "$what" | tr , ' ')
done <<'WHAT'
md5: no file
o.gif depend on all
o.mp4,--size,1M two passes
o.mp4,--grid,off other bytes
o.mp4,--allow-writes,--replay,tables.jsonl a table
WHAT
refuses 2 'cannot seek' runnel plan lavfi:testsrc2=duration=1 o.mp4
