#!/bin/sh
# The preview: what is drawn and heard - split view, messages, sizes, screenshots, sound, a kernel of one's own.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

begin "b, v, <, >, mouse: split view and bypass"
mkdir -p rgb
clip rgb/%02d.png lavfi:testsrc2=s=320x240:r=25 -frames:v 3 -pix_fmt rgb24
clip gray%02d.png lavfi:testsrc2=s=320x240:r=25 -frames:v 3 -pix_fmt gray
split_stands_at() { # column: left of it the source, right of it the filtered picture, exactly
    expect_seen "the filtered side" $((320 - $1 - 2))x140+$(($1 + 2))+40 filtered same
    expect_seen "the source side" $(($1 - 2))x140+0+40 source same
    expect_part "the other side" $(($1 - 2))x140+0+40 now filtered other
    expect_part "the filtered side" $((320 - $1 - 2))x140+$(($1 + 2))+40 now filtered same
    expect_part "the source's name" 60x30+$(($1 - 66))+0 now source other
    expect_part "the filtered picture's name" 60x30+$(($1 + 6))+0 now filtered other
}
for stack in 'gray*.png' 'rgb/*.png'; do
    make_shots "$stack"
    play_at_first "$stack" -f convolution=preset=sharpen
    expect_seen "the filtered picture" $upper filtered same
    after b expect_seen "bypass" $upper source same
    key b v
    split_stands_at 160 # and the words stay at the line
    # The same from here on: once is enough.
    [ "$stack" = 'gray*.png' ] || {
        key $(yes shift+Left | head -n 10)
        split_stands_at 128
        key --delay 20 $(yes shift+Right | head -n 5)
        split_stands_at 144
        xdo mousemove --window "$window" 144 100 mousedown 1 mousemove --window "$window" 200 90 \
            mousemove --window "$window" 240 80 mouseup 1 mousemove --window "$window" 20 20
        split_stands_at 240
        xdo mousemove --window "$window" 80 80 click 1
        split_stands_at 80
    }
    after v expect_seen "split view off" $upper filtered same
done

begin "i, ?, messages: drawn, and gone again"
play_at_first 'rgb/*.png' -f convolution=preset=sharpen
expect_seen "without messages" $whole filtered same
after i expect_seen "i" 80x60+0+0 filtered other
after i expect_seen "i again" $whole filtered same
after question expect_seen "?" 160x120+80+60 filtered other
after Escape expect_seen "Escape" $whole filtered same
after question expect_seen "? once more" 160x120+80+60 filtered other
cp now.ppm help.ppm
after End expect_seen "the last keys" $whole help other
cp now.ppm last.ppm
after Home expect_seen "the first keys" $whole last other
cp now.ppm first.ppm
after "$(yes Next | head -n 10)" expect_seen "ten pages down" $whole last same
after "$(yes Prior | head -n 10)" expect_seen "ten pages up" $whole first same
xdo type --delay 8 histogram
expect_seen "? for a word" $whole help other
after Escape expect_seen "Escape again" $whole filtered same
key question
after question expect_seen "? as it was opened" $whole filtered same
after Tab expect_seen "the parameter" 100x20+0+220 filtered other
expect_part "beside the parameter" $upper now filtered same
expect_seen "the parameter's end" $whole filtered same
after s expect_seen "what s wrote, while paused" 100x20+0+220 filtered other
expect_seen "its end" $whole filtered same

begin "scans: the window of the file, else what most samples are; a mask and edges have their own"
"$PYTHON" - <<'PY'
import nibabel, numpy as np
v = np.full((2, 240, 320), -1000, np.int16) # three columns: 100 air, 100 tissue, 120 bone
v[:, :, 100:200] = 40
v[:, :, 200:] = 900
for name, array, window in ("named", v, (-160, 239)), ("signed", v, None), ("real", (v / 1000).astype("f4"), None):
    image = nibabel.Nifti1Image(array.T, np.diag([-1, -1, 1, 1]))
    if window:
        image.header["cal_min"], image.header["cal_max"] = window
    nibabel.save(image, name + ".nii")
PY
"$PYTHON" - <<'PY' # the same values, stored as 0..4095 with slope and intercept
import dicom, numpy as np
v = np.full((240, 320), 24, np.uint16)
v[:, 100:200] = 1064
v[:, 200:] = 1924
window = [(0x28, 0x1050, "DS", "40"), (0x28, 0x1051, "DS", "400")]
dicom.write("windowed.dcm", v, tags=dicom.rescaled(1, -1024, "HU") + window)
dicom.write("windowless.dcm", v, tags=dicom.rescaled(1, -1024, "HU"))
PY
expect_three() { # what, grays of the three columns
    expect_screen "$1" means "$(echo "$2" | tr ' ' ,)" 48 64 144 64 248 64
}
while IFS='|' read -r name chain wanted original; do
    [ -n "$name" ] || continue
    [ -e $name.nii ] && scan=$name.nii || scan=$name.dcm
    play_at_first $scan -f "$chain"
    expect_three "$name, $chain" "$wanted"
    after b expect_three "$name without $chain" "$original"
done <<END
named|closing|0 128 255|0 128 255
windowless|closing|0 140 255|0 140 255
signed|levels=low=0:high=255:window=100:level=-980|0 255 255|0 140 255${WHOLE:+
real|closing|0 140 255|0 140 255
named|threshold=0|0 255 255|0 128 255
windowed|closing|0 128 255|0 128 255}
END

begin "i leaves most of a small picture free, however long its lines are"
clip deep_%d.tif lavfi:testsrc2=s=192x160 -frames:v 5 -pix_fmt gray16le
play_at_first 'deep_*.tif' -f closing=radius=2,median=radius=1,levels=white=60000,stats
shot free
after i expect_seen "i" 80x60+0+0 free other
set -- $(convert free.ppm now.ppm -compose difference -composite -crop 384x180+0+0 +repage -trim -format '%w %h' info:)
[ $(($1 * $2 * 10)) -lt $((384 * 320 * 3)) ] || complain "it takes $1x$2 of 384x320"

begin "interlaced frames: filtered as render does, and i has lines that say so"
clip woven.mkv lavfi:testsrc2=s=320x240:r=50:d=0.2 -vf tinterlace=interleave_top,setfield=tff -pix_fmt gray \
    -c:v ffv1 -level 3
clip whole.mkv woven.mkv -vf setfield=prog -c:v ffv1 -level 3
while read -r name clip fields; do
    run runnel render $clip.mkv f%02d.png -y -q -f sharpen --frames 1 --fields $fields
    convert f00.png -depth 8 -type TrueColor fields.ppm
    play_at_first $clip.mkv -f sharpen --fields $fields
    expect_seen "the filtered picture" $upper fields same
    after i expect_seen "i" 80x60+0+0 fields other
    convert fields.ppm now.ppm -crop $upper -compose difference -composite -trim -format %h info: >$name.height
done <<END
whole whole auto
frame woven frame
auto woven auto
END
[ "$(cat frame.height)" -gt "$(cat whole.height)" ] || complain "no line for woven: $(cat frame.height) rows"
[ "$(cat auto.height)" -gt "$(cat frame.height)" ] || complain "no more lines: $(cat auto.height) rows"

begin "B: one field after the other, the lines between them the mean of those beside"
cat >fields.py <<'PY'
import subprocess, sys, numpy as np
name, first = sys.argv[1], int(sys.argv[2])
data = subprocess.run(["convert", name, "-depth", "8", "gray:-"], capture_output=True).stdout
a = np.frombuffer(data, np.uint8).reshape(240, 320).astype(int)
for y in range(1 - first, 240, 2):
    above, below = a[y - 1 if y else 1], a[y + 1 if y < 239 else 238]
    a[y] = (above + below + 1) // 2
sys.stdout.buffer.write(b"P5 320 240 255\n" + a.astype(np.uint8).tobytes())
PY
ok runnel render woven.mkv f%02d.png -y -q -f invert
shown_of() { # picture, first line of the field, shot: what is to be seen
    python3 fields.py "$1" "$2" | convert - -depth 8 -type TrueColor "$3.ppm"
}
shown_of f00.png 0 first
shown_of "$(ls f0?.png | tail -n 1)" 1 last
convert f00.png -depth 8 -type TrueColor woven.ppm
play_at_first woven.mkv -f invert
expect_seen "woven" $upper woven same
after B expect_seen "the first field" $upper first same
after space expect_seen "the last field" $upper last same
key space
after Home expect_seen "the first field again" $upper first same
after B expect_seen "woven again" $upper woven same

begin "colours: the screen shows Y'CbCr within one level of what its matrix and range say"
cat >chart.py <<'PY'
import sys
import numpy as np
def stored(bits):
    noise = np.random.default_rng(1)
    y = noise.integers(0, 2**bits - 1, (240, 320), endpoint=True)
    return (y, *noise.integers(0, 2**bits - 1, (2, 120, 160), endpoint=True))
def up(c):  # lies at the left of two columns, between two lines
    c = np.pad(c, 1, "edge")
    c = np.stack([0.25 * c[:-2] + 0.75 * c[1:-1], 0.75 * c[1:-1] + 0.25 * c[2:]], 1).reshape(-1, c.shape[1])
    return np.stack([c[:, 1:-1], (c[:, 1:-1] + c[:, 2:]) / 2], -1).reshape(len(c), -1)
def chart(now, matrix, levels, bits):  # a judge, see screen.py
    full, bits = levels == "pc", int(bits)
    kr, kb = {"bt709": (0.2126, 0.0722), "smpte170m": (0.299, 0.114), "bt2020nc": (0.2627, 0.0593)}[matrix]
    top, unit = 2**bits - 1, 2 ** (bits - 8)
    y, u, v = stored(bits)
    y = y / top if full else (y - 16 * unit) / (219 * unit)
    u, v = (up((c - 128 * unit) / (top if full else 224 * unit)) for c in (u, v))
    r, b = y + 2 * (1 - kr) * v, y + 2 * (1 - kb) * u
    want = np.stack([r, (y - kr * r - kb * b) / (1 - kr - kb), b], -1).clip(0, 1) * 255
    off = np.abs(now - want)[:180]  # messages are below
    return off.max() > 1 and f"off by {off.max():.2f}, {off.mean():.2f} in the mean"
if sys.argv[1:]:
    for plane in stored(int(sys.argv[1])):
        sys.stdout.buffer.write(plane.astype("u1" if sys.argv[1] == "8" else "<u2").tobytes())
PY
ask define chart.py >/dev/null
while read -r chart; do
    set -- $chart
    python3 chart.py $3 >chart.raw
    clip chart.mkv -f rawvideo -s 320x240 -r 25 -pix_fmt yuv420p${4-} -i chart.raw -c:v ffv1 -level 3 \
        -vf setparams=colorspace=$1:range=$2 -color_range $2
    play chart.mkv
    expect_screen "$chart" chart $1 $2 $3
    quit
done <<END
bt709 tv 8
smpte170m pc 8
bt2020nc tv 10 10le
END

begin "high dynamic range: grays of PQ come down from the peak that the file names"
cat >grays.py <<'PY'
import sys
import numpy as np
code = np.repeat(np.arange(64, 941), 2)[:320 * 5:5]  # 320 columns from dark to bright
m1, m2, c1, c2, c3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128
def pq(light):
    y = (light / 10000) ** m1
    return ((c1 + c2 * y) / (1 + c3 * y)) ** m2
def grays(now, peak):  # a judge, see screen.py
    top = pq(float(peak))
    e, most = np.minimum((code - 64) / 876 / top, 1), pq(100) / top
    ks = 1.5 * most - 0.5
    t = (e - ks) / (1 - ks)
    spline = (2 * t**3 - 3 * t**2 + 1) * ks + (t**3 - 2 * t**2 + t) * (1 - ks) + (-2 * t**3 + 3 * t**2) * most
    p = (np.where(e < ks, e, spline) * top) ** (1 / m2)
    light = 10000 * (np.maximum(p - c1, 0) / (c2 - c3 * p)) ** (1 / m1)
    off = np.abs(now[60] - 255 * (light / 100)[:, None] ** (1 / 2.4)).max()
    return off > 2 and f"off by {off:.2f}"
if sys.argv[1:]:
    rows = np.tile(code, (240, 1)), np.full((120, 160), 512), np.full((120, 160), 512)
    sys.stdout.buffer.write(b"".join(p.astype("<u2").tobytes() for p in rows))
PY
ask define grays.py >/dev/null
for peak in 1000 4000; do
    [ $peak = 1000 ] && said= || said=":master-display=G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(40000000,50)"
    python3 grays.py stored >grays.raw
    clip pq.mkv -f rawvideo -s 320x240 -r 25 -pix_fmt yuv420p10le -i grays.raw -c:v libx265 -x265-params \
        "log-level=error:lossless=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc$said"
    play pq.mkv
    expect_screen "$peak cd/m2" grays $peak
    quit
done

begin "f, Esc, double-click, resize: the picture keeps its shape between bars"
play_at_first 'rgb/*.png' -f convolution=preset=sharpen
expect_seen "the picture" $upper filtered same
expect_size "at first" 320x240
for toggle in "f Escape" "f f" "2 2"; do
    for half in ${toggle% *} ${toggle#* }; do
        if [ "$half" = 2 ]; then
            sleep 0.6 # or it would be a third click
            xdo mousemove --window "$window" 100 100 click --repeat 2 --delay 60 1
        else
            key "$half"
        fi
        if [ -n "${big-}" ]; then
            expect_size "after $toggle" 320x240 && big=
        else
            expect_size "after $half" 1280x1024 && big=yes
        fi
    done
done
key Escape # leaves nothing
xdo windowsize "$window" 500 300
expect_size resized 500x300
convert -size 500x300 xc:black -depth 8 -type TrueColor black.ppm
expect_seen "picture" 20x300+52+0 black other
expect_seen "bar on the right" 48x300+452+0 black same
expect_seen "bar on the left" 48x300+0+0 black same
expect_part "picture" 20x300+52+0 now black other
xdo windowsize "$window" 320 240
expect_size "as before" 320x240
expect_seen "the old size" $upper filtered same

begin "--rotate none: filters see the stored picture, the window and s show it upright"
clip stored.mp4 lavfi:testsrc2=s=320x240:r=25 -frames:v 3 -c:v libx264rgb -qp 0
clip wide.mp4 stored.mp4 -vf setsar=2 -c:v libx264rgb -qp 0
cat >lay.py <<'PY' # the display matrix, in the track header
import sys
data = open(sys.argv[1], "rb").read()
at = data.index(b"tkhd") + 4 + 40
a, b, c, d = (65536 * int(v) for v in sys.argv[3:])
matrix = b"".join(v.to_bytes(4, "big", signed=True) for v in (a, b, 0, c, d, 0, 0, 0, 1 << 30))
open(sys.argv[2], "wb").write(data[:at] + matrix + data[at + 36:])
PY
into stored.md5 runnel render stored.mp4 md5: -q -f emboss --frames 1
run runnel render stored.mp4 stored%02d.png -y -q -f emboss --frames 1
while IFS='|' read -r matrix how size; do
    rm -f runnel-*.png
    python3 lay.py stored.mp4 laid.mp4 $matrix
    convert stored00.png $how -depth 8 -type TrueColor upright.ppm
    play_at_first laid.mp4 -f emboss --rotate none
    expect_size "$how" $size
    expect_seen "$how" ${size%x*}x150+0+0 upright same
    after s wait_for 20 test -s runnel-0001.png || complain "s wrote nothing"
    last 3 >got
    quit
    expect_same got stored.md5
    convert runnel-0001.png -depth 8 -type TrueColor now.ppm
    expect_part "$how, s" $size+0+0 now upright same
done <<END
0 1 -1 0|-rotate 90|240x320
-1 0 0 1|-flop|320x240
0 1 1 0|-transpose|240x320
END
python3 lay.py wide.mp4 laid.mp4 0 1 -1 0
play laid.mp4 --rotate none
expect_size "of wide samples" 240x640

begin "s: the filtered frame, at full resolution, and nothing overwritten"
rm -f runnel-*.png
clip deep.mkv lavfi:testsrc2=s=1600x1200:r=25:d=0.08 -pix_fmt gray16le -c:v ffv1
play_at_first deep.mkv -f invert
after "s s" wait_for 20 test -s runnel-0002.png || complain "s wrote no two files"
want=$(last | cut -d' ' -f3)
for i in 1 2; do
    expect_eq "picture $i" "$(sums_of runnel-000$i.png -pix_fmt gray16le)" "$want"
done

begin "9, 0, m: the sound"
# The driver 'disk' writes what would be heard.
has_gone_on() { [ "$(wc -c <sound.raw)" -gt $((size + 123000)) ]; }
heard() { # keys: the loudest of half a second, almost one second after them
    key $1
    written >/dev/null
    size=$(wc -c <sound.raw)
    wait_for 20 has_gone_on || echo "# the sound stands still" >&2
    tail -c 44100 sound.raw | od -An -v -td2 -w2 | sort -n | tail -n 1 | tr -d ' '
}
SDL_AUDIODRIVER=disk SDL_DISKAUDIOFILE=sound.raw
export SDL_DISKAUDIOFILE
clip sound.mkv lavfi:testsrc2=s=64x48:r=25:d=60 lavfi:sine=440:r=44100:d=60 -c:v ffv1 -pix_fmt gray -c:a flac
play sound.mkv
full=$(heard i)
half=$(heard "9 9 9 9 9 9 9 9 9 9")
mute=$(heard m)
again=$(heard m)
more=$(heard "0 0 0 0 0")
SDL_AUDIODRIVER=dummy
awk -v f="${full:-0}" -v h="${half:-0}" -v m="${mute:-1}" -v a="${again:-0}" -v p="${more:-0}" 'BEGIN {
    exit !(f > 1000 && h > 0.4 * f && h < 0.6 * f && m == 0 && a == h && p > 0.7 * f && p < 0.8 * f)
}' || complain "full $full, half $half, muted $mute, again $again, three quarters $more"

begin "--kernel: good, bad, good again; its parameters are keys"
kernel() { printf '//@param gain 0 4 0.5 1\nfloat filter(IN) { return %s; }\n' "$1" >my.new && mv my.new my.cl; }
kernel 'gain * PIXEL(0, 0)'
play_at_first 'rgb/*.png' --kernel my.cl
expect_seen "the picture as it is" $upper source same
one=$(last 3)
press Up
two=$(last 3)
[ "$one" != "$two" ] || complain "the parameter does nothing"
press Down
expect_eq "back" "$(last 3)" "$one"
kernel '255.0f - gain * PIXEL(0, 0)'
changed() { [ "$(last 3)" != "$one" ]; }
wait_for 20 changed || complain "the new kernel does not come"
three=$(last 3)
expect_seen "the inverse" $upper source other
cp now.ppm inverse.ppm
kernel '255.0f - gain * NOTHING_SUCH(0, 0)'
expect_seen "an error over the picture" 200x60+60+90 inverse other
grep -q "^my.cl:2:[0-9]*: error: .*NOTHING_SUCH" err ||
    complain "the compiler's lines on stderr: $(grep -a NOTHING_SUCH err | head -n 1)"
expect_eq "the picture under the error" "$(last 3)" "$three"
kernel 'gain * PIXEL(0, 0)'
back() { [ "$(last 3)" = "$one" ]; }
wait_for 20 back || complain "the first kernel does not come back"
expect_seen "the first picture" $upper source same
expect_as_rendered 'rgb/*.png'

if is_sanitized; then
    skip "a kernel that crashes when it is saved: the sanitizers take the crashes"
else
    begin "a kernel that crashes when it is saved ends the preview with one line, status 5"
    kernel 'gain * PIXEL(0, 0)'
    play 'rgb/*.png' --kernel my.cl
    kernel '*(global volatile float *)0 = gain'
    closed 5
    expect_one_line
    expect_message "error: .*'my.cl'"
fi
