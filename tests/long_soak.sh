#!/bin/sh
# 20,000 frames: the memory after the first thousand is the memory at the end.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

begin "20,000 frames in flat memory"
"$RUNNEL" render lavfi:testsrc2=s=320x240:r=25 null: --frames 20000 \
    -f convolution=preset=sharpen,closing,stats --progress p.json -q 2>err &
pid=$!
first= last=
while kill -0 $pid 2>/dev/null; do
    frames=$(tail -n 1 p.json 2>/dev/null | jq -r '.frames // 0' 2>/dev/null)
    rss=$(awk '/^VmRSS/ {print $2}' /proc/$pid/status 2>/dev/null)
    [ "${frames:-0}" -ge 1000 ] && [ -z "$first" ] && first=$rss
    [ -n "$rss" ] && last=$rss
    sleep 0.5 # between two looks
done
ends $pid 0
expect_eq "frames" "$(tail -n 1 p.json | jq .frames)" 20000
echo "# $first KiB after 1000 frames, $last KiB at the end"
[ "$last" -le $((first + first / 20)) ] || complain "the memory grew"
