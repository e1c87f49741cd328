#!/bin/sh
# The preview: the panel of stages and parameters, by keys and mouse, and what is typed into it.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

clip=clip.mkv
make_long $clip 12

right_click() { point "$1" "$2" && xdo click 3; } # x, y

begin "n: a filter is found by its name or another one, with values or without; Tab completes"
play_paused $clip -f erosion=radius=2
after n type_in negat
tuned "Return" erosion=radius=2,invert $clip
after n type_in median=radius=2
tuned "Return" erosion=radius=2,invert,median=radius=2
after n type_in "gaussian b"
after Tab type_in sigma=3
tuned "Return" erosion=radius=2,invert,median=radius=2,blur=sigma=3 $clip
after n type_in dilati
key Tab Tab Down Down Tab # dilation=, shape=, the third choice
type_in :ra
after Tab type_in 2
tuned "Return" erosion=radius=2,invert,median=radius=2,blur=sigma=3,dilation=shape=disk:radius=2
key u
after n type_in q
tuned "Escape" erosion=radius=2,invert,median=radius=2,blur=sigma=3
after n type_in "no such filter"
tuned "Return Escape" erosion=radius=2,invert,median=radius=2,blur=sigma=3
tuned "u u u" erosion=radius=2

begin "Enter: a value is typed; one out of range is refused and can be mended"
play_paused $clip -f "convolution=matrix='0 0 0 0 1 0 0 0 0',erosion=radius=2"
after "alt+2 Tab Return" type_in 5
key Return
written | grep -q 'erosion=radius=5$' || complain "the value is not 5: $(written)"
after Return type_in 50
key Return BackSpace Return
written | grep -q 'erosion=radius=5$' || complain "50 was not mended to 5: $(written)"
expect_as_rendered $clip
key p alt+1 Return # the panel has all parameters, the matrix first
type_in "0 0 0 0 1 0 0 0 -1"
key Return
written | grep -q 'matrix=.*-1,erosion' || complain "the matrix is not the typed one: $(written)"
expect_as_rendered $clip

begin "colon: any command is typed, completed and done; one that is refused can be mended"
play_paused $clip -f erosion=radius=2,invert
after colon type_in set_pr
after Tab type_in "erosion.radius 3"
tuned "Return" erosion=radius=3,invert
expect_as_rendered $clip
after colon type_in "remove 20"
key Return BackSpace
tuned "Return" erosion=radius=3
key colon # by a word of the help
type_in again
tuned "Return" erosion=radius=3
key colon # one that opens a field of its own
type_in new
after Return type_in gray
tuned "Return" erosion=radius=3,gray
key colon
tuned "Return" erosion=radius=3,gray
after colon type_in "preset fl"
key Tab
tuned "Return" tophat=shape=disk:radius=15
after colon type_in "screenshot typed.png"
key Return
quit
[ -s typed.png ] || complain "the picture is not in the file that was typed"

begin "p: what is fixed while frames run is changed, too"
play_paused $clip -f erosion=radius=2
tuned "p Next Tab Tab Tab Up" erosion=radius=2:slices=1
tuned "Down" erosion=radius=2 $clip

begin "the mouse: switches a stage, slides a value, and that is one change"
play_paused $clip -f erosion=radius=2,invert
press p
point 15 34
xdo click 1
tuned "F12" erosion=radius=2:enable=0,invert
xdo click 1
drag 1 100 72 200 72
radius=$(written | sed -n 's/^erosion=radius=\([0-9]*\),invert$/\1/p')
[ "${radius:-0}" -gt 8 ] || complain "radius is $radius"
expect_as_rendered $clip
tuned "u" erosion=radius=2,invert
point 220 72 # far from where the button went down before: no double click
xdo mousedown 1
point 222 72 # too little to change anything
tuned "F12" erosion=radius=2,invert
point 250 72
xdo mouseup 1
[ "$(written)" != erosion=radius=2,invert ] || complain "nothing was slid"
tuned "u" erosion=radius=2,invert
drag 1 160 79 160 79 # a click on the bar
tuned "F12" erosion=radius=15,invert
tuned "u" erosion=radius=2,invert

begin "a right click: a menu of what can be done there, by the mouse, keys or a word"
play_paused $clip -f erosion=radius=2,invert
key Tab Up
right_click 150 60
key Down # the first entry, which is not wanted
type_in undo
tuned "Return" erosion=radius=2,invert
right_click 20 230 # the seek bar
type_in begins
key Return
right_click 150 60
tuned "Escape" erosion=radius=2,invert
after M type_in "ends here"
tuned "Return" erosion=radius=2,invert
grep -q '^# marked --from.*--to' runnel-0001.chain || complain "no part begins: $(cat runnel-0001.chain)"
press p
right_click 100 34 # a stage
type_in remove
tuned "Return" invert
tuned "u M Escape" erosion=radius=2,invert

begin "p: the picture moves aside, to either side, with the histogram; F folds a stage, and it can be tuned"
clip white.mkv lavfi:color=white:s=640x480:r=25:d=1 -pix_fmt gray -c:v ffv1
play_at_first white.mkv -f erosion,stats
expect_screen "the whole window" lit 640x300+0+20 192000 192000
after p expect_screen "the picture at the left" lit 340x200+0+140 68000 68000
expect_screen "the panel beside it" lit 300x200+340+140 20 9000
expect_screen "the histogram" lit 100x80+240+400 20 9000
shot open
right_click 250 200
expect_seen "a menu" 300x300+40+170 open other
expect_seen "the panel beside it" 160x480+340+0 open same
key Escape
after alt+p expect_screen "the picture at the right" lit 340x200+300+140 68000 68000
shot open
after F expect_seen "what is folded" 300x200+0+0 open other
tuned "Tab Up" erosion=radius=2,stats
after F expect_screen "in full again" lit 300x200+0+0 2000 60000
after p expect_screen "the whole window again" lit 640x300+0+20 192000 192000
