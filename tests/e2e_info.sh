#!/bin/sh
# What `info` says, against what ffprobe says of the same files.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

field() { # jq-like path of keys: of the JSON in out
    python3 - "$@" <<'PY'
import json, sys
value = json.load(open("out"))
for key in sys.argv[1:]:
    value = value[int(key)] if key.isdigit() else value[key]
print(json.dumps(value) if isinstance(value, (dict, list, bool)) or value is None else value)
PY
}

expect_field() { # wanted, keys...
    want=$1
    shift
    got=$(field "$@" 2>&1)
    [ "$got" = "$want" ] || complain "$*: '$got' instead of '$want'"
}

expect_line() { grep -Eq "$1" out || complain "no line '$1' in: $(cat out)"; } # extended pattern

begin "info names every stream as ffprobe does"
clip a.mkv lavfi:testsrc2=s=64x48:r=25:d=1 lavfi:sine=d=1 -map 0 -map 1 -map 1 -c:v libx264 \
    -vf setparams=range=tv:color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc -c:a:0 aac -c:a:1 flac \
    -metadata:s:a:1 language=deu -metadata:s:a:1 title='A:b,c' -metadata artist=Me -disposition:a:1 forced
ok runnel info a.mkv --json
ffprobe -v error -show_streams -of json a.mkv >probe.json
python3 - >diff.out <<'PY' || complain "$(cat diff.out)"
import json
ours, theirs = json.load(open("out"))["streams"], json.load(open("probe.json"))["streams"]
assert len(ours) == len(theirs), len(ours)
for a, b in zip(ours, theirs):
    tags = b.get("tags", {})
    pairs = [("index", b["index"]), ("type", b["codec_type"]), ("codec", b["codec_name"]),
             ("width", b.get("width")), ("height", b.get("height")), ("channels", b.get("channels")),
             ("language", tags.get("language")), ("title", tags.get("title")),
             ("default", bool(b["disposition"]["default"])), ("forced", bool(b["disposition"]["forced"]))]
    for key, value in pairs:
        if a[key] != value:
            print(f"stream {a['index']}, {key}: {a[key]} instead of {value}")
            raise SystemExit(1)
PY
expect_field 64 pictures width
expect_field 25/1 pictures rate
expect_field limited pictures colour range
expect_field smpte2084 pictures colour transfer
expect_field bt2020 pictures colour primaries
expect_field Me tags ARTIST
ok runnel info a.mkv
expect_line '^colours +primaries bt2020, transfer smpte2084, matrix bt2020nc, range limited'
expect_line '^\* 0 video +h264'
expect_line '^  2 audio +flac,.* deu, "A:b,c", .*forced'

begin "of pictures it tells what the filters see, and what they are to be turned by"
clip r.nut lavfi:testsrc2=s=64x48:r=30000/1001 -frames:v 7 -pix_fmt nv12 -c:v rawvideo
clip t.mp4 lavfi:testsrc2=s=64x48:r=25:d=0.2 -c:v libx264 -metadata:s:v rotate=90
run runnel info r.nut --json
expect_field nv12 pictures pixel_format_stored
expect_field yuv420p pictures pixel_format
expect_field 30000/1001 pictures rate
clip r.dv lavfi:testsrc2=s=720x576:r=25 -frames:v 2 -pix_fmt yuv420p -c:v dvvideo
run runnel info r.dv --json
expect_field 25/1 pictures rate
turned=$(about t.mp4 stream=rotation)
run runnel info t.mp4 --json
expect_field $(((360 - ${turned:-0}) % 360)) pictures rotation
expect_field 5 pictures frames
expect_field true pictures frames_exact
ok runnel info "$root/media/scan.tif" --json
expect_field null container
expect_field "[]" streams
[ "$(field pictures frames)" -gt 1 ] || complain "$(cat out)"

begin "of a scan it tells the spacing, the place and the unit"
python3 - <<'PY'
import numpy as np, nibabel
image = nibabel.Nifti1Image(np.arange(60, dtype=np.int16).reshape(5, 4, 3) - 30, np.diag([-0.5, -0.25, 2, 1]))
image.header.set_slope_inter(2, -1000)
image.header.set_xyzt_units("mm")
nibabel.save(image, "s.nii")
PY
ok runnel info s.nii --json
expect_field grays16 pictures pixel_format
expect_field 3 volume slices
expect_field "[0.5, 0.25, 2.0]" volume spacing_mm
expect_field "[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]" volume direction
expect_field 2.0 volume slope
expect_field -1000.0 volume intercept
run runnel info s.nii
expect_line '^volume +3 slices, spacing 0.5 x 0.25 x 2 mm'
expect_line '^values +2 x sample -1000'
run runnel render "$root/media/scan.tif" scan.nii -d none
run runnel info scan.nii --json
expect_field null volume spacing_mm # which the scan does not say

begin "a scan has slices, no rate and no length in time, and what it does not say is called so"
for scan in s.nii "$root/media/scan.tif"; do
    ok runnel info "$scan"
    grep -E '^(input|pictures|container) .*(fps|frames|[0-9] s$)' out && complain "$scan: $(cat out)"
    run runnel info "$scan" --json
    expect_field null duration_s
    expect_field null pictures rate
done
run runnel info s.nii
expect_line '^pictures +5x4, 3 slices, samples 2:1$'
expect_line '^place +origin 0 0 0 mm,'
expect_line '^values +2 x sample -1000$'
run runnel info "$root/media/scan.tif"
expect_line '^volume +24 slices, spacing not said$'
expect_line '^place +not said$'
expect_line '^values +as stored: no slope, intercept or unit is said$'

begin "what cannot be opened is status 3, and no control character of a name or a tag is shown"
fails 3 '' runnel info nothing.mp4
clip e.mkv lavfi:testsrc2=s=32x32:d=0.1 -metadata title="$(printf 'a\033[2Jb')"
ok runnel info e.mkv
expect_line 'title = a\?\[2Jb'
run runnel info e.mkv --json
grep -q "$(printf '\033')" out && complain "a control character in: $(cat out)"

begin "a folder of several types is listed"
mkdir mixed
for i in 1 2 10; do clip mixed/a_$i.png lavfi:testsrc2=s=16x16 -frames:v 1; done
cp mixed/a_1.png mixed/photo.JPG
echo words >mixed/readme
ok runnel info mixed
expect_eq "list" "$(sed 's/  */ /g' out)" "folder mixed, 5 files of 3 types: a run takes the images of one
png 3 files, a_1.png ... a_10.png, INPUT 'mixed/*.png'
no extension 1 file, readme
jpg 1 file, photo.JPG, INPUT 'mixed/*.JPG'"
ok runnel info mixed --json
expect_eq "types" "$(jq -c '[.folder[] | [.extension, .files]]' out)" '[["png",3],[null,1],["jpg",1]]'
rm mixed/photo.JPG
ok runnel info mixed
grep -q '^pictures *16x16, 3 frames' out || complain "$(cat out)"
