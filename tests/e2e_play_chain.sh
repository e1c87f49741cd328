#!/bin/sh
# The preview: other filters while it plays. Whatever is done, the picture is what `render` makes of that
# frame with the chain that `w` writes.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

clip=clip.mkv
make_long $clip 12

# For filters across frames: of the frames around it, too.
expect_as_in_all() {
    written >/dev/null
    settle
    n=$(frame)
    ok runnel render $clip md5: -f @runnel-0001.chain --to $((n + 9))f -q
    awk -v n="$n" '$1 == n' out >want
    wait_for 20 is_shown || expect_same got want
}

begin "N, Del, Shift+PgDn, Shift+PgUp: stages come, go and move; u takes all of it back"
play_paused $clip -f erosion=radius=2,convolution=preset=sharpen
n=$(frame)
tuned "N" erosion=radius=2,erosion=radius=2,convolution=preset=sharpen $clip
tuned "Tab Up" erosion=radius=2,erosion=radius=3,convolution=preset=sharpen
tuned "shift+Next" erosion=radius=2,convolution=preset=sharpen,erosion=radius=3 $clip
tuned "shift+Next" erosion=radius=2,convolution=preset=sharpen,erosion=radius=3 # it is the last
tuned "shift+Prior shift+Prior" erosion=radius=3,erosion=radius=2,convolution=preset=sharpen
tuned "Delete" erosion=radius=2,convolution=preset=sharpen
tuned "Delete Delete" "" $clip
tuned "Delete" "" # there is none
expect_eq frame "$(frame)" "$n"
tuned "u" convolution=preset=sharpen
tuned "u u" erosion=radius=3,erosion=radius=2,convolution=preset=sharpen $clip
tuned "u u u u u" erosion=radius=2,convolution=preset=sharpen $clip
tuned "U U U" erosion=radius=2,convolution=preset=sharpen,erosion=radius=3 $clip

begin "PgDn, PgUp, Alt+number, S: stages are chosen, and those behind one switched off"
play_paused $clip -f erosion=radius=2,convolution=preset=sharpen,invert
tuned "Next x" erosion=radius=2,convolution=preset=sharpen:enable=0,invert
tuned "Prior x" erosion=radius=2:enable=0,convolution=preset=sharpen:enable=0,invert
tuned "alt+3 x" erosion=radius=2:enable=0,convolution=preset=sharpen:enable=0,invert=enable=0
tuned "Next x" erosion=radius=2,convolution=preset=sharpen:enable=0,invert=enable=0
tuned "alt+2 x alt+3 x alt+1" erosion=radius=2,convolution=preset=sharpen,invert
tuned "S" erosion=radius=2,convolution=preset=sharpen:enable=0,invert=enable=0 $clip
tuned "S" erosion=radius=2,convolution=preset=sharpen,invert

begin "playing: no picture is lost or shown twice over when a stage comes and goes"
play $clip -f erosion=radius=2
expect_beyond "the start" 5
key N
n=$(frame)
expect_beyond "with another stage" $((n + 10))
key Delete
n=$(frame)
expect_beyond "without it" $((n + 10))
pause
expect_as_rendered $clip
quit
# A number comes again only where it is filtered anew, and none goes back.
awk '$2 == 0 {if ($1 < was) back++; was = $1} END {exit back}' hash || complain "frames went back"

begin "filters across frames: the picture has its neighbours"
play_paused $clip -f erosion=radius=2,closing=slices=1
press period period
expect_as_in_all
tuned "Delete" closing=slices=1
expect_as_in_all
tuned "N" closing=slices=1,closing=slices=1
expect_as_in_all
tuned "Delete Delete" ""
expect_as_in_all
tuned "u" closing=slices=1
expect_as_in_all
press period
expect_as_in_all

begin "formats: the window shows another one"
play_paused $clip -f format=gbrp,invert
tuned "Delete" invert $clip
tuned "u" format=format=gbrp,invert $clip
tuned "x" format=format=gbrp:enable=0,invert $clip
