#!/bin/sh
# Filters across frames: nothing of the stream is lost or moved though frames are late. WHOLE=1: of larger slices.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

make_clip in.mkv 1
chain='closing=slices=2:planes=7,convolution=preset=gauss3,erosion=slices=1:planes=5'

begin "frames in = frames out; times, sound and subtitles stay"
ok runnel render in.mkv out.mkv -f "$chain"
expect_same_of out.mkv in.mkv times_of
expect_same_of out.mkv in.mkv packets_of a
expect_same_of out.mkv in.mkv packets_of s

begin "variable rate: every frame keeps its time"
clip vfr.mkv lavfi:testsrc2=s=64x48:r=50:d=1 \
    -vf "select='not(mod(n,7))+lt(mod(n,50),4)',setpts='PTS+0.004*mod(N,4)/TB'" -vsync vfr -c:v ffv1 -pix_fmt yuv420p
ok runnel render vfr.mkv out.mkv -y -f "$chain" --codec ffv1
expect_same_of out.mkv vfr.mkv times_of

begin "fewer frames than the filters reach; none"
for n in 1 2 3; do
    ok runnel render in.mkv md5: -q -f closing=slices=7:iterations=2,stats --frames $n
    expect_eq "$n frames" "$(wc -l <out)" $((3 * n))
done
run runnel render in.mkv null: -f closing=slices=2 --from 1:00
[ "$rc" != 0 ] || expect_message 'no frame'

begin "any number of slots gives the same pictures"
into want.md5 runnel render in.mkv md5: -q -f "$chain"
expect_file want.md5
for n in 1 2 8; do
    prints want.md5 runnel render in.mkv md5: -q -f "$chain" --inflight $n
done

begin "a part of the input is filtered as if it were all"
run runnel render in.mkv part.mkv -q --from 5f --to 15f --codec ffv1
run runnel render part.mkv md5: -q -f "$chain"
cut -d' ' -f2- out >want
run runnel render in.mkv md5: -q -f "$chain" --from 5f --to 15f
expect_printed want cut -d' ' -f2- out
expect_file want

begin "measurements behind it belong to their frame"
ok runnel stats in.mkv -q -f closing=slices=3
cut -d, -f1,2 out | sed 1d | uniq >got
times_of in.mkv | awk '{printf "%d,%.6f\n", NR - 1, $1}' >want
expect_same got want

begin "Ctrl-C: what was read is complete, and playable"
mkfifo pipe
ffmpeg -v error -re -f lavfi -i testsrc2=s=64x48:r=50 -pix_fmt yuv420p -f yuv4mpegpipe - >pipe 2>/dev/null &
feeder=$!
"$RUNNEL" render - cut.mkv -f "$chain" --codec ffv1 --progress progress.json -q <pipe 2>err &
pid=$!
some() { [ "$(tail -n 1 progress.json 2>/dev/null | jq -r '.frames // 0' 2>/dev/null)" -ge 20 ] 2>/dev/null; }
wait_for 30 some
kill -INT $pid
ends $pid 130
kill $feeder 2>/dev/null
wait $feeder 2>/dev/null
expect_file cut.partial.mkv
expect_least_frames cut.partial.mkv 20

begin "771 slices in the memory of 100"
side=${WHOLE:+512}
: "${side:=256}"
{ echo FRAME && head -c $((side * side)) /dev/urandom; } >slice
peak() { # number of slices: the largest resident size, KiB
    {
        echo "YUV4MPEG2 W$side H$side F25:1 Cmono"
        yes slice | head -n "$1" | xargs cat
    } | PRESTARTED_AT='' "$PYTHON" -c 'import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdin=sys.stdin.buffer)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)' "$RUNNEL" render - null: --metrics metrics.json -q -y \
        -f closing=shape=disk:radius=2:slices=2:border=zero
}
small=$(peak 100) && large=$(peak 771)
rc=$?
expect_rc 0
expect_eq "frames" "$(jq .frames_out metrics.json)" 771
echo "# $small KiB for 100 slices, $large KiB for 771"
# The sanitizers' runtimes keep what was freed.
is_sanitized || [ "${large:-0}" -le $((small + small / 20)) ] || complain "the memory grew"

begin "what cannot be: one line, and no output"
refuses 2 '0..7' runnel render in.mkv never.mkv -f closing=slices=8
refuses 2 '' runnel render in.mkv never.mkv -f closing=slices=1:border=wrap

begin "the chains for the scan that the manuals and the demo show leave black and white"
sed -n 's/^SCAN_CHAIN ?= //p' "$root/Makefile" >chains
sed -n 's,.* media/scan.tif .* -f \([^ ]*\).*,\1,p' "$root/README.md" "$root/app/man/runnel-render.1.md" >>chains
[ "$(wc -l <chains)" -ge 4 ] || complain "only $(wc -l <chains) chains found"
while read -r chain; do
    ok runnel stats "$root/media/scan.tif" --frames 3 -d none -q -f "$chain"
    awk -F, 'NR > 1 && $6 == $7 {exit 1}' out || complain "'$chain' makes one value of all"
done <chains
