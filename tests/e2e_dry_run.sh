#!/bin/sh
# What --dry-run tells, and that it writes nothing.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
ln -s "$root/media/clip.mp4" in.mp4

untouched() { # nothing but the input, the results of run, and what is named
    expect_eq "files" "$(ls -A | grep -vx 'in.mp4\|out\|err' | tr '\n' ' ')" "${1-}"
}

begin "--dry-run tells what is read, done and written, and writes nothing"
ok runnel render in.mp4 x.mkv --dry-run -d none -f median=radius=2,stats=file=t.csv --codec ffv1 --codec-opts level=3 \
    --metrics m.json --progress p.json
expect_message "reads .*'in.mp4': [0-9]*x[0-9]* yuv420p, .*[0-9] frames" "chain .*median=radius=2,stats=file=t.csv" \
    "writes .*'x.mkv': .* yuv420p, encoder ffv1 with level=3, container matroska" "writes .*'m.json'" "writes .*'t.csv'" \
    "nothing was written"
expect_eq "stdout" "$(wc -c <out)" 0
untouched
ok runnel render in.mp4 'x_%03d.png' --dry-run -d none -f invert --frames 3
expect_message "writes .*'x_%03d.png': .* rgb24, encoder png" "lost: .*audio"
fails 6 '--strict' runnel render in.mp4 'x_%03d.png' --dry-run -d none --strict --frames 3
says "chain .*stats" runnel stats in.mp4 --dry-run -d none --frames 2
expect_eq "stdout of stats" "$(wc -c <out)" 0
untouched

begin "--dry-run refuses what the run refuses, with its status"
echo old >old.mkv
for wrong in '2 x.mkv --codec nocodec' '2 x.mkv -f nofilter' '2 x.mkv --codec-opts nooption=1' '2 x.mkv --pix-fmt nofmt' \
    '2 x.nofmt' '4 none/x.mkv' '4 x.mkv -f stats=file=none/t.csv' '4 x.mkv --metrics none/m.json' '5 x.mkv -d nodevice -f gray' \
    '4 old.mkv -n' '2 x.mkv -f median=radius=99' '2 x.mkv --map 9'; do
    run runnel render in.mp4 ${wrong#* } </dev/null
    same=$rc
    expect_eq "status of a run: $wrong" "$rc" "${wrong%% *}"
    fails $same '' runnel render in.mp4 ${wrong#* } --dry-run </dev/null
    untouched "old.mkv "
done
expect_eq "the old file" "$(cat old.mkv)" old

begin "on a terminal --dry-run asks nothing"
ok python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))' "$RUNNEL" render in.mp4 old.mkv --dry-run -d none
grep -q "old.mkv' exists: the run will ask" out && ! grep -q Overwrite out || complain "$(cat out)"
