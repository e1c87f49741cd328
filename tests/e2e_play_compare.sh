#!/bin/sh
# The preview: the filtered picture beside another one - halves, differences and their figures, pictures before a
# filter, two chains on the same frames.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

noise() { # name, pixel format: ten frames of 320x240 whose pixels all differ
    clip "$1" "lavfi:testsrc2=s=320x240:r=25,noise=alls=60:allf=t:all_seed=3" -frames:v 10 -pix_fmt "$2" -c:v ffv1
}
picture_of() { # name, input, chain, frame: a picture, as it is shown
    case $3 in *slices*) range= at=$4 ;; *) range="--from ${4}f --frames 1" at=0 ;; esac # they look at others
    made="made/$(echo "$2 $3 $range" | md5sum | cut -c1-32)"
    if [ ! -d "$made" ]; then
        mkdir -p "$made"
        ok runnel render "$2" "$made/%02d.png" -q ${3:+-f "$3"} $range
        mogrify -format ppm -depth 8 -type TrueColor "$made/*.png"
    fi
    cp "$(find "$made" -name '*.ppm' | sort | sed -n "$((at + 1))p")" "$1.ppm"
}

# free: below the names at the top, above messages
free=320x160+0+40

# Pictures are shown with the samples that they have.
noise gray.mkv gray
mkdir gray
clip gray/%02d.png gray.mkv -pix_fmt gray
gray='gray/*.png'

begin "V: both halves show one place at one scale; a drag in either moves both"
picture_of source "$gray" "" 0
picture_of filtered "$gray" convolution=preset=sharpen 0
beside() { # x, y: the pixel that is in the corner of both halves
    convert -size 320x240 xc:black \
        \( source.ppm -crop 159x240+$1+$2 +repage \) -geometry +0+0 -composite \
        \( filtered.ppm -crop 159x240+$1+$2 +repage \) -geometry +161+0 -composite \
        -depth 8 -type TrueColor beside.ppm
}
play_at_first "$gray" -f convolution=preset=sharpen
point 100 100
key V 1
drag_to() { drag 1 "$1" 100 "$2" 100; } # from x, to x
drag_to 20 150
drag_to 20 150 # to the edge
beside 0 0
expect_seen "V at 1:1" $free beside same
expect_part "the left name" 80x30+4+4 now beside other
expect_part "the right name" 80x30+165+4 now beside other
drag_to 250 220
beside 30 0
expect_seen "dragged in the right half" $free beside same
drag_to 50 40
beside 40 0
expect_seen "dragged in the left half" $free beside same
convert source.ppm filtered.ppm -crop 320x119+0+60 +repage -gravity south -splice 0x2 -append rows.ppm
key V z
point 160 59 # the middle of the upper one
after 1 expect_seen "V again: above each other" 320x50+0+60 rows same
expect_part "the lower one" 320x20+0+160 now rows same
after "V z" expect_seen "V once more" $free filtered same
after v expect_seen "v, the source" 150x160+0+40 source same
expect_part "v, filtered" 150x160+170+40 now filtered same
after "V b" expect_seen "b" $free source same
expect_part "no names" 320x30+0+4 now source same

# apart.py A B GAIN...: apartGAIN.ppm, the amplified difference of gray pictures
cat >apart.py <<'PY'
import subprocess, sys
import numpy as np
def load(name):
    data = subprocess.run(["convert", name, "-depth", "8", "gray:-"], capture_output=True).stdout
    return np.frombuffer(data, np.uint8).reshape(240, 320).astype(int)
d = abs(load(sys.argv[1]) - load(sys.argv[2]))
for gain in sys.argv[3:]:
    shown = np.minimum(255, d * int(gain)).astype(np.uint8)
    open(f"apart{gain}.ppm", "wb").write(b"P6 320 240 255\n" + np.repeat(shown[:, :, None], 3, axis=2).tobytes())
PY

begin "D: the difference, amplified by { and }; in the right half, too"
play_at_first "$gray" -f convolution=preset=sharpen
key D
"$PYTHON" apart.py source.ppm filtered.ppm 1 2 4 8 16 32 64
for gain in 4 8 16 32 64 64 32 16 8 4 2 1 1; do
    expect_seen "difference x $gain" 120x85+0+110 apart$gain same
    case $gain in 64) [ "${top-}" ] && step=braceleft; top=1 ;; esac
    [ $gain = 1 ] && break
    key ${step:-braceright}
done
after v expect_seen "split, the source" 120x85+0+110 source same
expect_part "split, the difference" 100x40+170+110 now apart1 same
after D expect_seen "D again" 100x40+170+110 filtered same

# as_ffmpeg.py: what c copied (got) against FFmpeg's psnr.log and ssim.log
cat >as_ffmpeg.py <<'PY'
import re, sys
rows = [l.split("\t") for l in open("got").read().splitlines()][1:]
def log(name):
    return {k.lower(): v for k, v in re.findall(r"(\w+):(\S+)", open(name).readline())}
psnr, ssim = log("psnr.log"), log("ssim.log")
for name, p, s, _ in rows:
    key = "y" if name == "gray" else name.lower()
    key = {"all": "avg"}.get(key, key)
    want_p, want_s = psnr["psnr_" + key], ssim["all" if key == "avg" else key]
    same = p == want_p if "inf" in (p, want_p) else abs(float(p) - float(want_p)) < 0.0101
    if not same or abs(float(s) - float(want_s)) > 2e-6:
        sys.exit(f"{name}: {p} {s}, FFmpeg {want_p} {want_s}")
if len(rows) != {"gray": 1}.get(rows[0][0], 4):
    sys.exit(f"{len(rows)} rows")
PY

begin "D: PSNR and SSIM are those of FFmpeg's filters"
for case in yuv420p,convolution=preset=sharpen yuv422p10le,median=radius=2:planes=7 gray,boxblur gray10le,erosion \
    gbrp,median=planes=5; do
    format=${case%%,*} chain=${case#*,}
    noise n.mkv $format
    ok runnel render n.mkv f.mkv -y -q --codec ffv1 -f "$chain" --frames 1
    ffmpeg -nostdin -v error -y -i n.mkv -i f.mkv -frames:v 1 -lavfi \
        '[0:v]split[a][c];[1:v]split[b][d];[a][b]psnr=psnr.log[x];[c][d]ssim=ssim.log[y]' \
        -map '[x]' -f null - -map '[y]' -frames:v 1 -f null - || complain "ffmpeg"
    play_at_first n.mkv -f "$chain"
    key D
    is_copied() {
        key c
        clipboard | sed -n '/^peak/,$p' >got # behind the samples that are pointed at
        head -n 1 got | grep -q '^peak .*	PSNR	SSIM	max$'
    }
    wait_for 10 is_copied || complain "copied: $(cat got)"
    "$PYTHON" as_ffmpeg.py 2>why || complain "$format: $(cat why)"
    quit
done

left_and_right() { # left chain, right chain: what is left and right of the split line
    picture_of left "$clip" "$1" "$(frame)"
    picture_of right "$clip" "$2" "$(frame)"
    expect_seen "left, '$1'" 150x110+0+40 left same
    expect_seen "right, '$2'" 150x110+170+40 right same
}

begin "o: the picture before the selected filter, tuned along with the chain"
clip=$gray
play_at_first "$clip" -f erosion=radius=2,convolution=preset=sharpen,closing
press v o
left_and_right "" "$(written)"
press Next
left_and_right erosion=radius=2 "$(written)"
press Next
left_and_right erosion=radius=2,convolution=preset=sharpen "$(written)"
key Prior Prior Tab Up Next # a radius of 3
settle
left_and_right erosion=radius=3 "$(written)"
key N Next Delete # other filters
settle
left_and_right "$(written | sed 's/,[^,]*$//')" "$(written)"
press o
left_and_right "" "$(written)"

begin "o: where the format changes there is no difference, but a split view"
play_at_first "$gray" -f format=gray16le,erosion
key D v
picture_of filtered "$gray" format=gray16le,erosion 0
expect_seen "the source" 150x120+0+60 source same
expect_part "filtered" 150x120+170+60 now filtered same
key Next o # the format before is that behind
expect_seen "a difference" 150x120+170+60 filtered other

both_chains() { # the chain that is not tuned
    settle
    left_and_right "$1" "$(written)"
}

begin "--versus: both chains get every frame: steps, seeks, loop, other filters, slices; X tunes the other"
a=erosion=radius=2 b=dilation=slices=1
play_at_first "$clip" -f $a --versus $b
key V v # they begin side by side
both_chains $b
for keys in period "period period" comma Home "Right comma comma" Home; do
    key $keys
    both_chains $b
done
key Tab Up N
both_chains $b
a=$(written)
key X
both_chains "$a"
expect_eq "tuned" "$(written)" $b
key Tab Up period
both_chains "$a"
b=$(written)
key u
expect_eq "undone" "$(written)" dilation=slices=1
key U X
both_chains "$b"
key u u
expect_eq "the other's changes undone" "$(written)" erosion=radius=2
key U U
both_chains "$b"
key o
both_chains ""
press o
left_and_right "" "$(written)"
key o period
both_chains "$b"
after "l space" expect_beyond "playing on" 3
lines=$(wc -l <hash)
again() { [ "$(wc -l <hash)" -gt $((lines + 12)) ]; }
wait_for 20 again || complain "it does not loop"
key space
both_chains "$b"
key q
closed 0
expect_eq "printed" "$(tr -d '\0' <err | grep '^-' | tr '\n' ' ')" "-f '$a' --versus '$b' "

begin "--versus: mistakes"
fails 2 'nonsense' runnel play "$clip" -f erosion --versus nonsense
fails 2 'file=' runnel play "$clip" -f erosion --versus stats=file=t.csv
[ -e t.csv ] && complain "a table was begun"

begin "at random: both chains, whatever was pressed"
for seed in ${SEEDS:-1 2}; do
    play_at_first "$clip" -f erosion=radius=2,convolution=preset=sharpen --versus closing=slices=1,boxblur --loop
    for round in 1 2 3; do
        awk -v n=40 -v seed="$seed$round" 'BEGIN {srand(seed)
            m = split("Tab Up Down x u U Next Prior S N Delete shift+Next F1 F2 shift+F1 shift+F2 F5 F6 v V D " \
                "braceleft braceright o o X X period comma b Home 1 z R", k)
            for (i = 0; i < n; i++) print k[1 + int(m * rand())]}' >keys
        press $(cat keys)
    done
done
