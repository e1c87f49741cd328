#!/bin/sh
# The JSON that is printed follows its schemas.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
python3 -c 'import jsonschema' 2>/dev/null || { skip "there is no python3-jsonschema"; finish; }
clip in.mkv "$root/media/clip.mp4" -frames:v 12 -vf scale=160:90 -c:v ffv1 -pix_fmt yuv420p10le -c:a copy
follows() { # schema, command...
    name=$1
    shift
    into "$name.schema" runnel schema "$name"
    into record "$@"
    expect_python "$root/tests/schemas.py" "$name.schema" record
}

begin "records follow their schemas"
for input in in.mkv "$root/media/scan.tif" lavfi:testsrc2; do
    follows info runnel info "$input" --json
done
mkdir mixed && cp "$root/media/scan.tif" mixed && touch mixed/a.txt mixed/b.png
follows folder runnel info mixed --json
for input in in.mkv "$root/media/scan.tif"; do
    follows stats runnel stats "$input" --json -q -d none --frames 3
done
follows filters runnel filters --json
[ "${VARIANT-}" = tsan ] || follows devices runnel devices --json
follows metrics runnel render in.mkv out.mp4 -q -d none -f invert,stats --for web --metrics -
follows progress runnel render in.mkv null: -q -d none --progress -
run runnel render missing null: -q --metrics m.json
follows metrics cat m.json

begin "the list, and what is not in it"
ok runnel schema
expect_eq "names" "$(cut -d ' ' -f 1 out | tr '\n' ' ')" "devices filters folder info metrics progress stats "
refuses 2 "unknown schema 'metric'" runnel schema metric
