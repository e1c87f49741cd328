#!/bin/sh
# Recordings of sessions in which parameters change faster than pictures are computed.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

ffmpeg -v error -f lavfi -i testsrc2=d=2:s=320x240:r=25 -c:v ffv1 small.mkv
ffmpeg -v error -f lavfi -i testsrc2=d=2:s=1280x720:r=25 -c:v ffv1 large.mkv
python3 "$root/tests/record_walk.py" "$RUNNEL" large.mkv 40 1 25 >large.wrong 2>&1 &
python3 "$root/tests/record_walk.py" "$RUNNEL" small.mkv 160 1 25 >small.wrong 2>&1
small=$?
wait $!
for walk in large:$? small:$small; do
    begin "${walk%:*}: render makes of the recording what was shown"
    expect_eq "status" "${walk#*:}" 0
    sed 's/^/# /' ${walk%:*}.wrong
    [ ! -s ${walk%:*}.wrong ] || bad=1
done
