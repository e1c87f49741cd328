#!/bin/sh
# The preview: the panel of stages and parameters, by keys and mouse, and what is typed into it.
. "$(dirname "$0")/lib.sh"
. "$root/tests/window.sh"

clip=clip.mkv
make_long $clip 12

type_in() { xdo type --delay 8 "$1"; }

at() { xdo mousemove --window "$window" "$1" "$2"; } # x, y: moves the mouse in the window

begin "n: a filter is found by its name or another one, with values or without; Tab completes"
play_paused $clip -f erosion=radius=2
key n
type_in negat
tuned "Return" erosion=radius=2,invert $clip
key n
type_in median=radius=2
tuned "Return" erosion=radius=2,invert,median=radius=2
key n
type_in "gaussian b"
key Tab
type_in sigma=3
tuned "Return" erosion=radius=2,invert,median=radius=2,blur=sigma=3 $clip
key n
type_in dilati
key Tab Tab Down Down Tab # dilation=, shape=, the third choice
type_in :ra
key Tab
type_in 2
tuned "Return" erosion=radius=2,invert,median=radius=2,blur=sigma=3,dilation=shape=disk:radius=2
key u
key n
type_in q
tuned "Escape" erosion=radius=2,invert,median=radius=2,blur=sigma=3
key n
type_in "no such filter"
tuned "Return Escape" erosion=radius=2,invert,median=radius=2,blur=sigma=3
tuned "u u u" erosion=radius=2
quit

begin "Enter: a value is typed; one out of range is refused and can be mended"
play_paused $clip -f "convolution=matrix='0 0 0 0 1 0 0 0 0',erosion=radius=2"
key alt+2 Tab Return
type_in 5
key Return
written | grep -q 'erosion=radius=5$' || complain "the value is not 5: $(written)"
key Return
type_in 50
key Return BackSpace Return
written | grep -q 'erosion=radius=5$' || complain "50 was not mended to 5: $(written)"
expect_as_rendered $clip
key p alt+1 Return # the panel has all parameters, the matrix first
type_in "0 0 0 0 1 0 0 0 -1"
key Return
written | grep -q 'matrix=.*-1,erosion' || complain "the matrix is not the typed one: $(written)"
expect_as_rendered $clip
quit

begin "colon: any command is typed, completed and done; one that is refused can be mended"
play_paused $clip -f erosion=radius=2,invert
key colon
type_in set_pr
key Tab
type_in "erosion.radius 3"
tuned "Return" erosion=radius=3,invert
expect_as_rendered $clip
key colon
type_in "remove 20"
key Return BackSpace
tuned "Return" erosion=radius=3
key colon # one that opens a field of its own
type_in new
key Return
type_in gray
tuned "Return" erosion=radius=3,gray
key colon
tuned "Return" erosion=radius=3,gray
key colon
type_in "screenshot typed.png"
key Return
quit
[ -s typed.png ] || complain "the picture is not in the file that was typed"

begin "p: what is fixed while frames run is changed, too"
play_paused $clip -f erosion=radius=2
tuned "p Next Tab Tab Tab Up" erosion=radius=2:slices=1
tuned "Down" erosion=radius=2 $clip
quit

begin "the mouse: switches a stage, slides a value, and that is one change"
play_paused $clip -f erosion=radius=2,invert
press p
at 15 15
xdo click 1
tuned "F12" erosion=radius=2:enable=0,invert
xdo click 1
at 100 53
xdo mousedown 1
at 110 53
at 160 53
at 200 53
xdo mouseup 1
radius=$(written | sed -n 's/^erosion=radius=\([0-9]*\),invert$/\1/p')
[ "${radius:-0}" -gt 8 ] || complain "radius is $radius"
expect_as_rendered $clip
tuned "u" erosion=radius=2,invert
at 220 53 # far from where the button went down before: no double click
xdo mousedown 1
at 222 53 # too little to change anything
tuned "F12" erosion=radius=2,invert
at 280 53
xdo mouseup 1
[ "$(written)" != erosion=radius=2,invert ] || complain "nothing was slid"
tuned "u" erosion=radius=2,invert
quit

finish
