#!/bin/sh
# Groups of pictures that several decoders take side by side: pixels, counts, messages and the status are those of one.
. "$(dirname "$0")/lib.sh"

moving=lavfi:testsrc2=s=160x96:r=25:d=2,noise=alls=8:allf=t:all_seed=1
clip closed.mp4 $moving -c:v libx264 -g 8 -bf 3 -pix_fmt yuv420p
clip each.mov $moving -c:v libx264 -preset ultrafast -g 1 -pix_fmt yuv420p
clip sets.ts $moving -c:v libx264 -g 8 -pix_fmt yuv420p
clip open.mkv $moving -c:v libx265 -preset ultrafast -x265-params log-level=error:keyint=8:open-gop=1:bframes=4
clip leading.mp4 $moving -c:v libx265 -preset ultrafast -x265-params log-level=error:keyint=8:radl=2:bframes=3
clip hidden.webm $moving -c:v libvpx-vp9 -cpu-used 8 -deadline realtime -g 8 -auto-alt-ref 1 -lag-in-frames 8
clip few.mp4 $moving -frames:v 2 -c:v libx264 -pix_fmt yuv420p

decode() { # N, or 0: one of one thread; input, options...: what there is to compare in N.log
    n=$1 input=$2
    shift 2
    case $n in 0) set -- --threads 1 "$@" ;; *) set -- --decoders "$n" "$@" ;; esac
    "$RUNNEL" render "$input" md5: -y -d none --metrics m.json "$@" >"$n.log" 2>err
    echo "status $?" >>"$n.log"
}
compare() { # input, options...
    decode 0 "$@"
    jq -c '[.. | objects | .ledger? // empty]' m.json >m.0
    for n in 2 7; do
        decode $n "$@"
        # A decoder makes up what is lost from what it had before, which may be another group.
        case $1 in hurt* | cut*) sed -i 's/ [0-9a-f]\{32\}$//' 0.log $n.log ;; esac
        cmp -s 0.log $n.log || complain "$n decoders, $*: $(diff 0.log $n.log | head -n 4)"
        [ $# != 1 ] || jq -c '[.. | objects | .ledger? // empty]' m.json | cmp -s - m.0 || complain "$n decoders, $1: other counts"
    done
}

begin "whole files, in closed and open groups"
for f in closed.mp4 each.mov sets.ts open.mkv leading.mp4 hidden.webm few.mp4; do
    compare $f
    decode 7 $f --log-level debug
    grep -q "'$f': 7 decoders side by side" err || complain "$f: one decoder"
    ! grep 'decodes again' err || complain "$f: one decoder was needed"
done

begin "a part of a file; from a place on there is one decoder"
compare open.mkv --frames 20
compare closed.mp4 --to 1
compare closed.mp4 --from 1

begin "damage: what one decoder makes of it"
for f in closed.mp4 open.mkv; do
    for at in 40 70; do
        python3 -c "import sys
d = bytearray(open('$f', 'rb').read())
a = len(d) * $at // 100
d[a:a + 900] = bytes(900)
open('hurt.${f#*.}', 'wb').write(d)"
        compare "hurt.${f#*.}"
        head -c $(($(stat -c %s $f) * at / 100)) $f >"cut.${f#*.}"
        compare "cut.${f#*.}"
    done
done

finish
