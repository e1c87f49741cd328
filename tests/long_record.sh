#!/bin/sh
# Recordings of sessions in which parameters change faster than pictures are computed.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

walk() { # size, name, sessions: in a folder of its own, as both write files of the same names
    mkdir "$2" && cd "$2" || exit 1
    ffmpeg -v error -f lavfi -i testsrc2=d=2:s="$1":r=25 -c:v ffv1 "$2.mkv"
    python3 "$root/tests/record_walk.py" "$RUNNEL" "$2.mkv" "$3" 1 25 >"../$2.wrong" 2>&1
}

(walk 1280x720 large 40) &
(walk 320x240 small 160)
small=$?
wait $!
for walk in large:$? small:$small; do
    begin "${walk%:*}: render makes of the recording what was shown"
    expect_eq "status" "${walk#*:}" 0
    sed 's/^/# /' ${walk%:*}.wrong
    [ ! -s ${walk%:*}.wrong ] || bad=1
done
