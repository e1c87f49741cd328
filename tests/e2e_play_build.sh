#!/bin/sh
# The preview while kernels are built: the window is there, keys are answered, the old chain plays on.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

clip=clip.mkv
make_long $clip 12

make_slow || { skip "cc cannot make the library"; finish; }

begin "at the start: the window says so, is drawn again, and keeps what is pressed"
hold
opened $clip -f erosion=radius=2
expect_building
expect_screen "the window says so" bright 320x60+0+180 6
expect_screen "the first frame is shown as it was read" lit 320x100+0+70 9000 32000
[ ! -s hash ] || complain "a picture already"
after f expect_screen "also in fullscreen" bright 320x60+0+964 6
key f Tab Up space
let_go
wait_for $patience test -s hash || complain "no picture comes"
expect_eq "chain" "$(written)" erosion=radius=3
expect_as_rendered $clip

begin "at the start: q and Ctrl-C end it at once"
hold
opened $clip -f erosion=radius=2
expect_building
key q
closed 0
opened $clip -f erosion=radius=2
kill -INT $player
closed 130
let_go

make_tiny b.mkv gray 96x64
make_tiny c.mkv gray 64x96
if make_drop; then
    begin "at the start: files that are dropped are the list, as soon as there is a runner"
    hold
    opened $clip -f erosion=radius=2
    expect_building
    drop b.mkv c.mkv
    taken() { [ ! -e drop ]; }
    wait_for $patience taken || complain "nothing is dropped"
    let_go
    expect_title "b.mkv (1/2) - runnel"
fi

begin "another chain: the old one plays on, keys are answered, the new one comes"
play $clip -f erosion=radius=2
hold
after "n i n v e r t Return" expect_building
expect_beyond "while it is built" $(($(frame) + 10))
expect_eq "chain" "$(written)" erosion=radius=2,invert
pause_exactly
n=$(frame)
after period expect_frame "a step while it is built" $((n + 1))
shot now
lines=$(wc -l <hash)
let_go
wait_for $patience more_lines || complain "no new picture"
expect_frame "the same frame" $((n + 1))
expect_as_rendered $clip
tuned "u" erosion=radius=2 $clip

begin "what is changed meanwhile: the latest wins, and u takes one after the other back"
play_paused $clip -f erosion=radius=2
hold
tuned "n m e d i a n Return" erosion=radius=2,median
expect_building
tuned "n i n v e r t Return" erosion=radius=2,median,invert
tuned "Prior x" erosion=radius=2,median=enable=0,invert
tuned "alt+1 Tab Up" erosion=radius=3,median=enable=0,invert
tuned "u" erosion=radius=2,median=enable=0,invert
let_go
expect_as_rendered $clip
tuned "u" erosion=radius=2,median,invert $clip
tuned "u" erosion=radius=2,median $clip
tuned "u" erosion=radius=2 $clip
tuned "U U" erosion=radius=2,median,invert $clip

begin "u takes it back before it is built, and nothing comes later"
play_paused $clip -f erosion=radius=2
hold
tuned "n s o b e l Return" erosion=radius=2,sobel
expect_building
tuned "u" erosion=radius=2 $clip
tuned "alt+1 Tab Up" erosion=radius=3 $clip
let_go
expect_as_rendered $clip
tuned "u" erosion=radius=2

begin "where playing has ended by a mark, the next step is to the frame behind it"
clip slow.mkv lavfi:testsrc=s=96x64:r=2 -frames:v 60 -c:v ffv1 -threads 1
play_at_first slow.mkv -f erosion
key period e l Home
key --repeat 22 bracketleft # 4 s a frame
expect_frame "before" 0
after space expect_frame "the mark" 1
pause
tuned "n i n v e r t Return" erosion,invert slow.mkv
after period expect_frame "behind it" 2

rounds() { for i in 1 2 3 4 5 6 7 8; do written >/dev/null; done; } # of the player's loop

begin "where somebody is on the way to, that comes, whatever is bound meanwhile"
for there in 'End 299' 'Right 125' 'g 150'; do
    change_it() { if [ "${there% *}" = g ]; then key g 1 5 0 f Return; else key "${there% *}"; fi; }
    play_at_first $clip -f erosion=radius=2 --cache 0
    hold
    after "n l e v e l s Return" expect_building
    touch stuck
    change_it
    let_go
    rounds # the runner is ready, and waits for the reader
    rm stuck
    expect_frame "$there" "${there#* }"
    expect_as_rendered $clip
    play_at_first $clip -f erosion=radius=2 --versus closing=slices=1 --cache 0
    key o # the input
    settle
    touch stuck
    change_it
    key o o # the picture before the stage, the other chain
    rounds
    rm stuck
    expect_frame "$there, compared" "${there#* }"
    settle
    expect_frame "$there, compared" "${there#* }"
done

begin "q while it is built: at once, status 0, what was tuned is told"
play $clip -f erosion=radius=2
hold
key n e q u a l i z e Return
expect_building
key q
closed 0
expect_message "-f 'erosion=radius=2,equalize'"
let_go

begin "the device refuses: said, and the settings are those that play, whatever came after"
play_paused $clip -f erosion=radius=2
tuned "Tab Up" erosion=radius=3
hold
tuned "n l e v e l s Return" erosion=radius=3,levels
expect_building
tuned "alt+1 Tab Up" erosion=radius=4,levels
touch full
let_go
expect_written erosion=radius=3
rm full
expect_message "has no [0-9]* bytes"
expect_as_rendered $clip
tuned "u" erosion=radius=2
tuned "U U" erosion=radius=3 $clip
tuned "n l e v e l s Return" erosion=radius=3,levels $clip

begin "the device refuses the chain of --versus: it stays what is compared with"
play_paused $clip -f erosion=radius=2 --versus levels
tuned "Tab Up" erosion=radius=3
touch full
key X
wait_for $patience grep -aq "has no [0-9]* bytes" err || complain "nothing is refused"
settle
rm full
expect_eq "the settings" "$(written)" erosion=radius=3
expect_as_rendered $clip
tuned "u" erosion=radius=2
tuned "U X Up" levels=black=1 $clip
tuned "u X" erosion=radius=3
key q
closed
expect_message "-f 'erosion=radius=3'" "--versus 'levels'"

begin "the device refuses the three views: said, the preview goes on, and the next chain fills them"
clip slice%02d.png lavfi:color=white:s=320x240:r=25 -frames:v 6 -pix_fmt gray
play_at_first 'slice*.png' -f erosion
across=100x4+190+58 # of the plane along the columns
touch full
key t
wait_for $patience grep -aq "has no [0-9]* bytes" err || complain "nothing is refused"
settle
expect_screen "no planes that were not filtered" within $across 0 5
key i # which changes nothing
settle
rm full
expect_eq "times that it is said" "$(grep -c 'has no [0-9]* bytes' err)" 1
after "i Tab Up" expect_screen "the planes" bright $across 6
touch full
after "n i n v e r t Return" expect_written erosion=radius=2
expect_screen "the planes stay" bright $across 6
rm full
