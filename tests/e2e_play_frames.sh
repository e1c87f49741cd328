#!/bin/sh
# The preview: the frames on its screen are those of render, of files and of pipes.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

begin "ten chains: the frames on the screen are those of render"
mkdir -p deep
make_tiny y8.mkv yuv420p
make_tiny y10.mkv yuv420p10le 97x63
make_tiny rgb.mkv gbrp
make_tiny g16.mkv gray16le
clip deep/%03d.png lavfi:testsrc2=s=96x64:r=25 -frames:v 60 -pix_fmt rgb48be
while IFS='|' read -r in chain keys; do
    play "$in" -f "$chain"
    key $keys
    pause
    mark=$(wc -l <hash)
    key period period period
    written >/dev/null
    settle
    wants runnel render "$in" md5: -q -f @runnel-0001.chain
    expect_wanted $mark
done <<END
y8.mkv|convolution=preset=sharpen|Up
y8.mkv|closing=shape=disk,stats|Tab Up Up
y8.mkv|format=gray,erosion|Tab shift+Up
y10.mkv|dilation=planes=7|Tab Up
y10.mkv|convolution=preset=gauss3,opening|x Tab
rgb.mkv|convolution=preset=outline:bias=20|Tab Tab Up
rgb.mkv|gray,convolution=preset=emboss|Up
g16.mkv|convolution=preset=laplacian|Tab Up
g16.mkv|erosion,dilation,erosion@third=radius=3|Tab Up x
deep/*.png|closing=radius=3:border=zero|R
END

begin "a filter across frames: every frame as render makes it, after changes, seeks and at both ends"
while IFS='|' read -r in chain keys; do
    play_paused "$in" -f "$chain"
    press $keys
    mark=$(wc -l <hash)
    press period period comma
    press Right
    expect_frame "$chain, beyond the end" 99
    press comma comma period
    expect_frame "$chain, a step back from the end" 98
    press Home
    expect_frame "$chain, Home" 0
    press period period period comma
    expect_frame "$chain, steps" 2
    after "period period period space" expect_beyond "$chain, Space" 6
    pause
    written >/dev/null
    wants runnel render "$in" md5: -q -f @runnel-0001.chain
    expect_wanted $mark 9
done <<END
y8.mkv|erosion=slices=1|Tab Up
y8.mkv|convolution=preset=gauss3,closing=slices=1:radius=2,dilation=planes=2|Up
g16.mkv|closing=shape=disk:slices=2:border=zero,opening=slices=1:border=clamp,stats|Tab Up
END

begin "the only filter, which is across frames, off and on again"
play_at_first "$root/media/scan.tif" -f closing=slices=1
on=$(last)
change x
[ "$(last)" != "$on" ] || complain "the picture does not change"
expect_frame "switched off" 0
change x
expect_eq "the picture with the filter on again" "$(last)" "$on"
key period x x comma x space x Home x

begin "a filter across frames, off and on again, and after a seek: the old picture is no neighbour"
wants runnel render y8.mkv md5: -q -f dilation=slices=2
play_paused y8.mkv -f dilation=slices=2
n=$(frame)
with=$(last 3)
change x
without=$(last 3)
change x
[ "$with" != "$without" ] || complain "switched off, the picture stays"
[ "$with" = "$(last 3)" ] || complain "switched on again, the picture is another: $with, $(last 3)"
expect_frame "switched off and on" "$n"
after Right expect_frame Right 99
after Home expect_frame Home 0
settle
mark=$(wc -l <hash)
press Tab Up Down
tail -n +$((mark + 1)) hash | tail -n 3 | sort >got
expect_in_want got 3

begin "a filter across frames on a pipe: a seek that is refused changes nothing"
"$started" render y8.mkv pipe.y4m -y -q
input=pipe.y4m
play - -f dilation=slices=2 --untimed
input=/dev/null
after Right wait_for 20 is_frame 99 || complain "stopped at frame $(frame)"
cut -d' ' -f1 hash | sort -nu | awk '{exit_if = NR - 1 != $1; if (exit_if) exit} END {exit exit_if}' ||
    complain "frames are missing"

begin "a pipe of y4m cannot seek, says so and loses nothing; a generator plays"
clip pipe.y4m lavfi:testsrc2=s=64x48:r=25:d=3 -pix_fmt yuv420p
mkfifo fifo
{ head -c 100000 pipe.y4m && cat <more && tail -c +100001 pipe.y4m; } >fifo &
mkfifo more
input=fifo
play - -f erosion --untimed
input=/dev/null
key Left Home comma space
written >/dev/null
: 1<>more
expect_frame "the end" 74
quit
wants runnel render pipe.y4m md5: -q -f erosion
expect_wanted 0
cut -d' ' -f1 hash | sort -nu | awk 'NR - 1 != $1 {exit 1}' || complain "frames are missing"
play lavfi:testsrc2=s=64x48:r=25 -f erosion
wait_for 10 sh -c '[ "$(tail -n 1 hash | cut -d" " -f1)" -gt 10 ]' || complain "the generator stands"

begin "a phone's clip of fields stands upright, its fields one by one, as render makes them"
clip lying.mp4 lavfi:testsrc2=s=96x64:r=25:d=2 -vf setfield=tff -c:v libx264 -g 10 -flags +ildct -pix_fmt yuv420p
turned_clip turned.mp4 90 lying.mp4
wants runnel render turned.mp4 md5: -q --deinterlace field
expect_eq "planes in all" "$(grep -c . want)" 300
play_paused turned.mp4 --deinterlace field
after Home expect_frame Home 0
after "period period period" expect_frame "a step is a field" 3
expect_wanted 0

begin "frames that came too late are not stepped over"
# More frames a second than any window shows.
clip late.mkv lavfi:testsrc2=s=96x64:r=1000:d=2 -pix_fmt gray -c:v ffv1
play late.mkv -f erosion --loop
for round in 1 2 3 4 5 6; do
    at=$(frame)
    is_other() { [ "$(frame)" != "$at" ]; }
    wait_for 20 is_other || complain "nothing is played"
    pause
    settle
    at=$(frame)
    press period
    expect_eq "behind $at, round $round" "$(frame)" $(((at + 1) % 2000))
    key space
done
quit
awk '$1 > last + 1 {skipped = 1} {last = $1} END {exit !skipped}' hash || complain "no frame came too late"

begin "400 random keys: no crash, nothing left behind"
random_keys 400 3
