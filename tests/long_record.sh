#!/bin/sh
# Recordings of sessions in which parameters change faster than pictures are computed.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

ffmpeg -v error -f lavfi -i testsrc2=d=2:s=320x240:r=25 -c:v ffv1 small.mkv
ffmpeg -v error -f lavfi -i testsrc2=d=2:s=1280x720:r=25 -c:v ffv1 large.mkv
for clip in small large; do
    n=160
    [ $clip = small ] || n=40
    begin "$clip: render makes of the recording what was shown"
    python3 "$root/tests/record_walk.py" "$RUNNEL" $clip.mkv $n 1 25 >wrong 2>&1 || complain "$(tail -n 1 wrong)"
    sed 's/^/# /' wrong
    [ ! -s wrong ] || bad=1
done

finish
