#!/bin/sh
# What stands over the picture of the preview: no text gives way to another, or shines through one.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

clip black.mkv lavfi:color=black:s=640x480:r=25:d=4 -pix_fmt gray -c:v ffv1 -g 12

numbers=420x46+0+434 # left of the histogram
message=420x86+0+348

begin "a long message has a box of its own; the panel keeps names, lists their notes; no scope covers the split line, \
no menu moves what it leaves"
play_at_first black.mkv -f "convolution=matrix='0 0 0 0 1 0 0 0 0',stats"
shot plain
expect_screen "numbers" lit $numbers 201 99999
for keys in "Tab shift+Tab" "n m e d i a n equal r a d i u s equal 9 9 Return Escape"; do
    after "$keys" expect_seen "the message of $keys" $message plain other
    expect_part "the numbers" $numbers plain now same
done
# The help covers all that stands there, and it comes back.
after question expect_seen "the help" $message plain other
after Escape expect_seen "the numbers" $numbers plain same
press n
shot list
press Escape p alt+1
shot named
press Return
type_in "0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0"
after Return expect_seen "the value" 100x22+535+29 named other
expect_part "the name" 60x22+365+29 named now same
after n expect_seen "the list" 640x300+0+0 list same
after "Escape v D h" expect_screen "the line" within 1x200+170+150 255 255
point 400 20
after "D h h h v p M" expect_screen "nothing beside the menu" lit 240x400+0+0 0 0
key Escape

begin "headings keep their places above times, and a contact sheet has no numbers"
graph=200x76+434+400
play_at_first black.mkv -f erosion,stats
press V
shot headed
after i expect_screen "times" lit 200x200+8+34 201 99999
expect_part "the heading" 60x24+8+8 headed now same
expect_screen "a histogram" lit $graph 11 99999
after "i shift+F1 Up shift+F2 C" expect_screen "no histogram" lit $graph 0 0

begin "three views beside the panel: no text covers a picture, and what has no room is named"
"$PYTHON" -c 'import nibabel, numpy as np
nibabel.save(nibabel.Nifti1Image(np.full((320, 240, 20), 900, np.int16), np.diag([1, 1, 9, 1])), "v.nii")'
play v.nii -f median,closing,stats=enable=0
xdo windowsize "$window" 640 480
point 180 150
press t p
expect_screen "the panel" lit 300x480+340+0 2000 99999
expect_views() { for part in 50x40+270+70 40x30+110+325; do expect_screen "a view" within $part 125 140; done; }
expect_views
settle; shot plain
press alt+3 x d i
expect_screen "texts" lit 168x160+172+240 500 9999
expect_views
settle
for part in 168x128+0+56 80x128+258+56 168x70+0+312; do expect_seen "a picture" $part plain same; done
press p i
xdo windowsize "$window" 480 360
expect_screen "the readout" lit 238x100+242+185 300 9999
settle; shot plain
after i expect_seen "the mark" 480x180+0+180 plain other
expect_part "pictures" 480x180+0+0 plain now same

begin "hints come on the first start, each goes when it is done, and none comes again"
hints=$XDG_STATE_HOME/runnel/hints
over() { [ "$(cat "$hints" 2>/dev/null)" = "$1" ]; }
above=420x434+0+0
rm "$hints"
play_at_first black.mkv -f erosion
expect_screen "a hint" lit 640x480+0+0 201 99999
for done in "period,0" "Up,0" "n,0" "i n v e r t Return,1" "Up,2" "question,3" "Escape,3"; do
    press "${done%,*}"
    { [ "${done#*,}" = 0 ] && ! over 1; } || wait_for 5 over "${done#*,}" || complain "after $done: $(cat "$hints")"
done
play_at_first black.mkv -f erosion,stats
expect_screen "no hint" lit $above 0 0

begin "the thumbnail over the seek bar covers no numbers"
play_at_first black.mkv -f stats
above=420x310+0+0 # it stands below that, and numbers otherwise, too
expect_screen "no message" lit $above 0 0
expect_screen "no message" lit $message 0 0
shot plain
point 60 470
expect_screen "as much is bright above the thumbnail" as_bright $above $numbers plain
