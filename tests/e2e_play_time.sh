#!/bin/sh
# The preview in time: exact places, marks that loop, held frames, speed, the seek bar, renders beside. WHOLE=1: on
# each kind of clip, with each way to mark a part.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

x264="-c:v libx264 -pix_fmt yuv420p -preset ultrafast -bf 3 -g 250"
make_vfr() { # name: 137 pictures that last 1 to 7 frames of a camera
    clip "$1" lavfi:testsrc2=s=64x48:r=25:d=20 -frames:v 137 -vf "select='not(mod(n,7))+gt(mod(n,19),12)'" \
        -fps_mode vfr $x264
}

begin "a frame, a time and the last frame are found exactly: variable rate, another start, a wrong duration"
make_vfr vfr.mkv
make_vfr vfr.ts # does not start at 0
make_vfr vfr.mp4
clip bare.h264 vfr.mp4 -c copy -f h264 # has no times, nor a duration
for clip in vfr.ts ${WHOLE:+vfr.mkv bare.h264}; do
    wants runnel render $clip md5: -q -f erosion
    n=$(tail -n 1 out | cut -d' ' -f1)
    play_paused $clip -f erosion
    settle
    mark=$(wc -l <hash)
    go 101f
    expect_frame "$clip, 101f" 101
    go -10f
    expect_frame "$clip, -10f" 91
    go +1f
    expect_frame "$clip, +1f" 92
    after End expect_frame "$clip, End" "$n"
    after comma expect_frame "$clip, the one before" $((n - 1))
    go 0f
    expect_frame "$clip, 0f" 0
    go 10000f
    expect_frame "$clip, beyond the end" "$n"
    go 0:03
    at=$(runnel render $clip md5: -q -f erosion --from 3 --frames 1 | head -n 1 | cut -d' ' -f1)
    expect_frame "$clip, 0:03" "$at"
    go 5x # is refused, and can be typed on
    key Escape
    go +1000
    expect_frame "$clip, +1000" "$n"
    settle
    expect_wanted "$mark"
done

looped() { [ "$(tail -n +$((mark + 1)) hash | grep -c "^$1 0")" -gt 3 ]; } # last frame

begin "what is marked loops, is what the line printed at the end renders, and what E wrote"
make_tiny y8.mkv yuv420p
mkdir -p "$XDG_CONFIG_HOME/runnel"
for chain in closing=slices=1 ${WHOLE:+erosion}; do
    rm -f runnel-*.mkv
    play_paused y8.mkv -f $chain --untimed
    go 36f
    expect_frame "to the end mark" 36
    key e
    go 30f # the mark comes with the frame
    key a
    expect_eq "the file says what is marked" "$(settle; written >/dev/null; grep marked runnel-0001.chain)" \
        "# marked --from 30f --to 37f"
    echo 'pix-fmt = gray' >"$XDG_CONFIG_HOME/runnel/config" # is for who types commands
    key E Home # which goes on meanwhile
    expect_frame Home 0
    go 36f
    expect_frame "to the end again" 36
    settle
    mark=$(wc -l <hash)
    key space
    wait_for 20 looped 36 || complain "it does not loop"
    wait_for 20 test -s runnel-0001.mkv || complain "E wrote nothing"
    wait_for 20 grep -q "wrote $PWD/runnel-0001.mkv, 7 frames" err || complain "nobody says what E wrote"
    rm "$XDG_CONFIG_HOME/runnel/config"
    quit
    range=$(grep -o -- '--from.*' err | tail -n 1)
    expect_eq "the line at the end" "$(tail -n 1 err)" "-f '$chain' --from 30f --to 37f"
    wants runnel render y8.mkv md5: -q -f $chain $range
    tail -n +$((mark + 1)) hash | sort -u >got
    expect_same got want
    run runnel render runnel-0001.mkv md5: -q
    cut -d' ' -f2- out >got
    run runnel render y8.mkv md5: -q -f $chain $range
    cut -d' ' -f2- out >want
    expect_same got want
done

begin "one mark loops with l, and marks can be cleared"
play_paused y8.mkv -f erosion --untimed --loop
go 90f
expect_frame "to the mark" 90
press a
mark=$(wc -l <hash)
key space
wait_for 20 looped 99 || complain "it does not loop"
expect_eq "the first frame of it all" "$(tail -n +$((mark + 1)) hash | sort -n | head -n 1 | cut -d' ' -f1)" 90
key A
wait_for 20 sh -c "tail -n +$((mark + 1)) hash | grep -q '^0 0'" || complain "the mark is still there"
quit
expect_eq "the line at the end" "$(tail -n 1 err)" "-f 'erosion'"

# What E writes after the keys, and what the line at the end renders, are the frames FIRST to LAST.
expect_part() { # keys to mark, after which frame is shown, FIRST, LAST, options of the input
    keys=$1 at=$2 first=$3 last=$4
    shift 4
    rm -f runnel-*.mkv
    play_paused y8.mkv -f erosion --untimed "$@"
    go "${at}f"
    expect_frame "to the mark" "$at"
    settle
    key $keys E
    wait_for 20 grep -q "wrote $PWD/runnel-0001.mkv" err || complain "$*: E wrote nothing"
    quit
    line=$(grep '^-f' err)
    run runnel render y8.mkv md5: -q -f erosion --from "${first}f" --to "$((last + 1))f"
    cut -d' ' -f2- out >want
    run runnel render runnel-0001.mkv md5: -q
    expect_printed want cut -d' ' -f2- out
    eval "run runnel render y8.mkv md5: -q $line"
    expect_printed want cut -d' ' -f2- out
}

begin "one mark in a part of the input: E and the line at the end keep to what is played"
expect_part a 30 30 49 --frames 50
if [ "${WHOLE-}" ]; then
    expect_part a 40 40 59 --from 10f --frames 50
    expect_part a 40 40 54 --from 0.4 --to 2.2
    expect_part a 40 40 44 --to 45f --frames 60
fi
expect_part e 40 10 40 --from 10f --frames 50
expect_part a 40 45 49 --from 5f --frames 45 --renumber

begin "another chain is bound while a single marked frame plays over and over"
play_paused y8.mkv -f erosion
go 50f
after "a e" expect_frame "the marked frame" 50
settle
luma() { grep '^50 0' hash | tail -n 1; }
before=$(luma)
key space N
is_other() { [ "$(luma)" != "$before" ]; }
wait_for 20 is_other || complain "the picture stays"
after space expect_as_rendered y8.mkv
expect_frame "the marked frame" 50

begin "frames that were decoded are not decoded again: back, forth, and around"
clip gop.mp4 lavfi:testsrc2=s=320x240:r=25:d=8 $x264
wants runnel render gop.mp4 md5: -q -f erosion
for cache in 64M ${WHOLE:+0}; do
    play_paused gop.mp4 -f erosion --cache $cache --log-level debug
    go 120f
    expect_frame "to the middle" 120
    for i in 1 2; do # no more than ten wait
        key period period period period period period period period period period
        expect_frame "forth" $((120 + 10 * i))
    done
    for i in 1 2 3; do
        after "comma comma comma comma comma comma comma comma comma comma" expect_frame "back" $((140 - 10 * i))
    done
    settle
    expect_wanted 0
    quit
    decoded=$(sed -n 's/.*frames: \([0-9]*\) decoded.*/\1/p' err)
    # 200 are all that there are; before the first key some were shown.
    case $cache in
    0) [ "$decoded" -gt 1000 ] || complain "without a cache only $decoded frames are decoded" ;;
    *) [ "$decoded" -le 300 ] || complain "$decoded frames are decoded" ;;
    esac
done
refuses 2 '' runnel play gop.mp4 --cache 5x

begin "the speed changes, with and without sound, and every frame is right"
make_long sound.mkv 4
wants runnel render sound.mkv md5: -q -f erosion
play sound.mkv -f erosion
key $(yes bracketright | head -n 30)
expect_frame "eight times as fast" 99
after "Home BackSpace" expect_beyond "normal again" 5
press $(yes bracketleft | head -n 30) period
expect_wanted 0
press space BackSpace

bar=80x24+240+216 # messages stand further left
begin "the seek bar: at the pointer, always, and where the mouse drags it"
play_paused sound.mkv -f erosion
after Home expect_frame Home 0
point 160 100
settle
shot without
point 290 228
expect_seen "near the bar" $bar without other
expect_seen "its thumbnail" 80x60+240+140 without other
point 160 100
expect_seen "away from it" 80x100+240+140 without same
after T expect_seen "always" $bar without other
xdo mousemove --window "$window" 313 231 mousedown 1
expect_frame "a press at its end" 99
point 4 231
expect_frame "dragged to its beginning" 0
xdo mouseup 1
point 160 231
xdo click 1
wait_for 20 sh -c '[ "$(tail -n 1 hash | cut -d" " -f1)" -gt 40 ]' || complain "a click in the middle: $(frame)"
[ "$(frame)" -lt 60 ] || complain "a click in the middle: $(frame)"

begin "a pipe has no seek bar, and marks there do not loop"
"$started" render y8.mkv pipe.y4m -y -q
input=pipe.y4m
play - -f erosion --untimed
input=/dev/null
wait_for 20 is_frame 99 || complain "stopped at frame $(frame)"
settle
shot without
point 290 205
press T a e g 3 f Return E
expect_seen "where a bar would be" 80x10+240+203 without same
expect_frame "still the end" 99

begin "renders wait for each other; the first q warns, the second stops them cleanly"
rm -f runnel-* deep-*
clip short.mkv lavfi:testsrc2=s=320x240:r=25:d=4 -c:v mpeg4 -q:v 5
clip wide.mkv -stream_loop 300 -i short.mkv -c copy
play_paused wide.mkv -f median --export deep.mkv
go 10f
expect_frame "to the end mark" 10
after "a e E E" wait_for 20 test -s deep-0001.mkv || complain "E wrote nothing"
wait_for 20 test -s deep-0002.mkv || complain "the second E wrote nothing"
key A E
rendering() { # a file without a name, or another one, has grown
    child=$(pgrep -P $player) || return 1
    for f in /proc/"$child"/fd/*; do
        case $(readlink "$f") in
        "$scratch"/*#* | *deep-0003*) [ "$(stat -L -c %s "$f")" -lt 50000 ] || return 0 ;;
        esac
    done
    return 1
}
wait_for $patience rendering || complain "the third does not begin"
press q
ended && complain "the first q ends it"
quit
expect_message "deep-0003.mkv was stopped"
expect_no_file deep-0003.mkv
expect_file deep-0003.partial.mkv
expect_eq "frames of the first" "$(frames_of deep-0001.mkv)" 1

begin "a render that fails is told, and tuning goes on"
play y8.mkv -f erosion --export nowhere/deep.mkv
after E wait_for 20 grep -q "no $PWD/nowhere/deep-0001.mkv: " err || complain "nothing is said"
pause
after Home expect_frame Home 0
