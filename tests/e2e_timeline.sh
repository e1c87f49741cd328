#!/bin/sh
# The times of an input reach the output: jumps of its clock are repaired, losses of time are told.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

make_part() { # file, offset in seconds, options of ffmpeg...: 2 s, 50 pictures of 25 fps, sound
    out=$1 offset=$2
    shift 2
    clip "$out" lavfi:testsrc2=s=64x48:r=25:d=2 lavfi:sine=440:r=48000:d=2 -c:v "${VIDEO:-libx264}" \
        -pix_fmt yuv420p -bf 2 -g 25 -c:a mp2 -b:a 64k -output_ts_offset "$offset" "$@" || complain "cannot make $out"
}

# Times of the packets of a kind of stream, rising, in milliseconds.
packet_times() { # file, v or a
    entries "$1" "$2" packet=pts_time | awk '/[0-9]/ {printf "%.0f\n", 1000 * $1}' | sort -n
}

first_of() { packet_times "$1" "$2" | head -n 1; }
last_of() { packet_times "$1" "$2" | tail -n 1; }

expect_steady() { # file, pictures, ms from one to the next
    packet_times "$1" v >steps
    expect_eq "pictures of $1" "$(grep -c . steps)" "$2"
    expect_eq "steps of $1" "$(awk 'NR > 1 {print $1 - last} {last = $1}' steps | sort -u)" "$3"
}

# How much later than the pictures the sound ends, in ms.
lag() { echo $(($(last_of "$1" a) - $(last_of "$1" v))); }

make_part a.ts 0
make_part flagged.ts 0 -mpegts_flags +initial_discontinuity
make_part late.ts 5000
make_part plain.ts 0 -bf 0
VIDEO=mpeg2video make_part a.mpg 0
cat a.ts a.ts >joined.ts
cat a.ts flagged.ts >flag.ts
cat a.ts late.ts >forward.ts
cat late.ts a.ts >backward.ts
cat a.ts plain.ts a.ts >reordered.ts
cat a.ts a.ts late.ts flagged.ts >four.ts
cat a.mpg a.mpg >joined.mpg

for case in joined.ts:2 flag.ts:2 forward.ts:2 backward.ts:2 reordered.ts:3 four.ts:4 joined.mpg:2; do
    file=${case%:*} parts=${case#*:}
    begin "$file: $parts parts on one clock"
    ok runnel render $file out.mkv -y --metrics m.json --codec ffv1
    expect_steady out.mkv $((50 * parts)) 40
    expect_eq discontinuities "$(metric .discontinuities)" $((parts - 1))
    expect_message "$((parts - 1)) discontinuit"
    expect_eq "sound after the pictures" "$(lag out.mkv)" "$(lag a.ts)"
done

begin "a counter of 33 bits goes round"
make_part wrap.ts 95442
ok runnel render wrap.ts out.mkv -y --metrics m.json
expect_steady out.mkv 50 40
expect_eq discontinuities "$(metric .discontinuities)" 0

begin "a recording that starts late starts at 0 in files"
make_part day.ts 47000
VIDEO=mpeg2video make_part day.mpg 20000
for case in day.ts:mp4 day.ts:mkv day.ts:mov day.ts:nut day.mpg:mkv wrap.ts:mp4; do
    out=start.${case#*:} file=${case%:*}
    ok runnel render "$file" "$out" -y
    [ "$(first_of "$out" a)" -lt 50 ] || complain "the sound of $out starts at $(first_of "$out" a)"
    expect_eq "pictures after the sound in $out" $(($(first_of "$out" v) - $(first_of "$out" a))) \
        $(($(first_of "$file" v) - $(first_of "$file" a)))
    expect_eq "the sound's end in $out" "$(lag "$out")" "$(lag a.ts)"
done
ok runnel render day.ts kept.mkv --keep-start
expect_eq "start with --keep-start" "$(first_of kept.mkv v)" "$(first_of day.ts v)"
run runnel stats day.ts
expect_eq "time of the first row" "$(sed -n 2p out | cut -d, -f2 | cut -c1-4)" "0.01"

begin "the delay of Opus does not grow from generation to generation"
clip g0.webm lavfi:testsrc2=s=32x24:r=25:d=0.4 lavfi:sine=440:r=48000:d=0.4 -c:v libvpx -deadline realtime -c:a libopus
cp g0.webm old
want="$(first_of g0.webm v) $(first_of g0.webm a) $(last_of g0.webm a)"
for generation in 1 2 3 4 5 6 7 8 9 10; do
    case $generation in
    5) new=new.webm codec=libvpx ;;
    *) new=new.mkv codec=ffv1 ;;
    esac
    ok runnel render old $new -y --codec $codec
    mv $new old
done
got="$(first_of old v) $(first_of old a) $(last_of old a)"
expect_eq "first picture, first and last sound" "$got" "$want"

begin "a variable rate becomes a constant one in y4m, and the line says so"
# 30 fps, of which pictures are missing here and there: they last longer.
clip vfr.mkv lavfi:testsrc2=s=64x48:r=30:d=4 -vf "select='lt(n,20)+not(mod(n,3))+between(n,80,90)'" -vsync vfr -c:v ffv1
n=$(frames_of vfr.mkv)
ok runnel render vfr.mkv vfr.y4m -y
expect_eq "rate" "$(head -n 1 vfr.y4m | grep -o 'F[0-9:]*')" F30:1
length=$((($(last_of vfr.mkv v) * 30 + 500) / 1000 + 1))
frames=$(frames_of vfr.y4m)
[ "$frames" -ge "$length" ] && [ "$frames" -le $((length + 2)) ] || complain "$frames frames, not $length"
expect_message "constant rate, 30 fps: $((frames - n)) frames were repeated and 0 dropped"
# Every picture stands where it was, until the next one comes.
sums_of vfr.mkv >sums
packet_times vfr.mkv v | paste - sums | awk '{at = int($1 * 30 / 1000 + 0.5)}
    NR > 1 {while (k < at) {print last; k++}} {last = $2} END {print last}' >want
sums_of vfr.y4m | head -n "$(grep -c . want)" >got
expect_same got want
"$started" render vfr.mkv - -q >piped.y4m 2>err </dev/null
expect_same piped.y4m vfr.y4m
clip silent.ts a.ts -map 0:v -c copy
for case in y4m: h264:libx264 mxf:mpeg2video; do
    out=constant.${case%:*}
    codec=${case#*:}
    ok runnel render silent.ts $out -y ${codec:+--codec "$codec"}
    expect_eq "frames of $out" "$(frames_of $out)" 50
    ! grep -q repeated err || complain "$out: $(grep repeated err)"
done

begin "the timecode of a part is that of its first picture"
timecode_of() { entries "$1" v stream=tag:timecode | grep -io '[0-9].*[0-9]'; }
for case in 25/01:00:00:00/10f/01:00:00:10 25/01:00:00:00/0.72/01:00:00:18 \
    "30000%1001/00:00:59;20/20f/00:01:00;12" 25/10:00:00:00//10:00:00:00; do
    rate=$(echo "$case" | cut -d/ -f1 | tr % /) from=$(echo "$case" | cut -d/ -f3)
    clip tc.mov "lavfi:testsrc2=s=32x24:r=$rate:d=1" -c:v libx264 -pix_fmt yuv420p \
        -timecode "$(echo "$case" | cut -d/ -f2)"
    for e in mov mkv; do
        ok runnel render tc.mov tc-out.$e -y ${from:+--from "$from"}
        expect_eq "timecode in $e from '$from'" "$(timecode_of tc-out.$e)" "${case##*/}"
    done
done

begin "a part of joined recordings is the one that was asked for"
for effect in null negate; do
    clip $effect.ts lavfi:testsrc2=s=32x24:r=25:d=60 -vf $effect -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25
done
cat null.ts negate.ts >minutes.ts
run runnel render minutes.ts md5: -q
awk '$2 == 0 {print $3}' out >sums
for second in 30 61 100; do
    ok runnel render minutes.ts md5: -q --from $second --frames 1
    expect_eq "picture at $second s" "$(awk '$2 == 0 {print $3}' out)" "$(sed -n $((25 * second + 1))p sums)"
done

# MPEG-PS carries a clock of constant rate; MPEG-TS counts its packets; in the others each picture has a time of its own.
begin "a hole in a constant rate is a loss, a pause of a recording is not"
for case in ts:0:1 mpg:6:0 mp4:0:0 mkv:0:1 webm:0:1 flv:0:1 nut:0:1 wmv:0:1; do
    e=${case%%:*}
    pauses=${case##*:}
    rest=${case#*:}
    codec=$(case $e in webm) echo libvpx -deadline realtime -cpu-used 8 ;; wmv) echo wmv2 ;; \
        mpg) echo mpeg2video ;; *) echo libx264 -preset ultrafast ;; esac)
    clip hole.$e lavfi:testsrc2=s=32x24:r=25:d=5 -vf "select='lt(n,40)+gt(n,55)*lt(n,90)+gt(n,96)'" -vsync vfr \
        -c:v $codec -pix_fmt yuv420p
    fails "${rest%:*}" '' runnel render hole.$e null: -d none --metrics m.json -y
    [ "$pauses" = 0 ] && continue
    expect_message 'the pictures pause 2 times, 0\.920 s in all'
    expect_eq "gaps of $e" "$(metric .ledger.gaps)" 2
    expect_eq "frames missing in $e" "$(metric .frames_missing)" 0
done

begin "durations rounded to milliseconds add up to no loss"
clip ntsc.mkv lavfi:testsrc2=s=32x24:r=30000/1001:d=20 -c:v libx264 -preset ultrafast -pix_fmt yuv420p
ok runnel render ntsc.mkv null:

begin "a gap that is no jump of the clock is a loss"
make_part gap.ts 5 -mpegts_flags +initial_discontinuity
cat a.ts gap.ts >gap2.ts
gap=$((($(first_of gap.ts v) - $(last_of a.ts v)) / 40 - 1))
fails 6 "no picture for 2\.9\|has lost 2\.9" runnel render gap2.ts out.mkv -y --metrics m.json
expect_eq "missing frames" "$(metric .frames_missing)" $gap
expect_eq discontinuities "$(metric .discontinuities)" 0

# The timecodes that SMPTE ST 12 leaves out: two (four at 59.94) at each minute but every tenth.
begin "a cut moves the timecode, over the edges of minutes and hours"
for case in "30000/1001 00:00:59;28 00:01:00;04" "30000/1001 00:59:59;28 01:00:00;02" \
    "30000/1001 23:59:59;28 00:00:00;02" "30000/1001 00:09:59;28 00:10:00;02" \
    "30000/1001 00:00:59:28 00:01:00:02" "60000/1001 00:00:59;58 00:01:00;06" \
    "60000/1001 00:59:59;58 01:00:00;02" "25 00:59:59:23 01:00:00:02"; do
    set -- $case
    clip code.mov lavfi:testsrc2=s=64x48:r=$1:d=0.3 -c:v mpeg4 -timecode "$2"
    ok runnel render code.mov code.out.mov -d none -y -q --from 4f
    expect_eq "$2 at $1, four pictures later" "$(about code.out.mov stream=tag:timecode)" "$3"
done

# ---- how long the last picture is shown

# Five pictures, 0.1 s apart and the last one after 2 s; it lasts 3 s. B-frames: it is not decoded last.
clip slides.gif lavfi:testsrc2=s=64x48:r=10:d=0.5 -vf "setpts='if(eq(N,4),2.3/TB,PTS)'" -vsync vfr
python3 - <<'PY'
data = bytearray(open("slides.gif", "rb").read())
at = data.rfind(b"\x21\xf9\x04")
data[at + 4:at + 6] = (300).to_bytes(2, "little")
open("slides.gif", "wb").write(data)
PY
clip still.gif lavfi:color=red:s=64x48:r=1:d=1 -frames:v 1 -final_delay 500

expect_length() { # file, seconds, what says it (a stream or the format)
    [ "$3" = format ] && length=$(entries "$1" '' format=duration) || length=$(about "$1" stream=duration)
    awk -v a="$length" -v b="$2" 'BEGIN { exit !(a + 0 > b - 0.1 && a + 0 < b + 0.25) }' ||
        complain "$1 lasts $length s, not $2"
}

begin "the last picture is shown for its time, in containers that tell it and in others"
for case in mp4:stream mov:stream mkv:format avi:stream ts:stream nut:format ogv:stream; do
    ok runnel render slides.gif "slides.${case%:*}" -y
    expect_length "slides.${case%:*}" 5.2 "${case#*:}"
done
for case in mp4:stream ts:stream nut:format mpg:format mxf:stream; do # of 0.2 frames/s, too
    ok runnel render still.gif "still.${case%:*}" -y
    [ "${case%:*}" = mpg ] || expect_length "still.${case%:*}" 5 "${case#*:}"
done

begin "what a muxer complains of does not end the run"
clip slow.mp4 lavfi:testsrc2=s=96x64:r=1:d=3 -c:v libx264 -pix_fmt yuv420p
says "buffer underflow" runnel render slow.mp4 slow.mpg -y

begin "the time of the last picture is read from MOV, MP4 and Matroska"
for e in mp4 mov mkv; do
    ok runnel render slides.$e again.gif -y
    expect_length again.gif 5.2 stream
done

begin "pictures behind a pause keep their time in Ogg, which counts them, and repeated ones stand there"
clip pauses.mkv lavfi:testsrc2=s=64x48:r=25:d=1 -vf "negate=enable='mod(n,2)',select='lt(mod(n,10),4)'" \
    -vsync vfr -c:v ffv1
says "frames were repeated" runnel render pauses.mkv pauses.ogv -y
expect_eq "packets" "$(entries pauses.ogv '' packet=pts | wc -l)" 24
clip pauses.gray pauses.ogv -vf scale=1:1:flags=area -pix_fmt gray -f rawvideo
expect_eq "which pictures are negatives" "$(od -An -v -tu1 -w1 pauses.gray | awk '{printf "%d", ($1 > 128)}')" \
    010111111101011111110101
