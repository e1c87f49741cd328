#!/bin/sh
# The preview: several inputs in one window, one after another, with the same chain.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

make_tiny a.mkv gray 96x64
make_tiny b.mkv yuv420p 160x120
make_tiny c.mkv yuv444p 64x96
make_tiny deep.mkv gray16le 96x64
for n in a b c; do clip short$n.mkv $n.mkv -frames:v 3 -c copy; done
echo nothing >no.mkv

begin "< and > go through the files with the same chain; each is filtered as render does it, and keeps its own"
play a.mkv b.mkv c.mkv -f erosion=radius=2 --loop
expect_title "a.mkv (1/3) - runnel"
tuned "Tab Up" erosion=radius=3
after greater expect_title "b.mkv (2/3) - runnel"
pause_at_first
expect_as_rendered b.mkv
tuned "Up Up" erosion=radius=5
grep -q '^# tuned on b.mkv' runnel-0001.chain || complain "$(grep '^#' runnel-0001.chain)"
after greater expect_title "c.mkv (3/3) - runnel"
expect_frame "paused as before" 0
expect_as_rendered c.mkv
tuned u erosion=radius=4
key greater # looped
expect_title "a.mkv (1/3) - runnel"
after "less less" expect_title "b.mkv (2/3) - runnel"
expect_as_rendered b.mkv
quit
for n in "a 3" "b 5" "c 4"; do
    file=$(grep -l "tuned on .*/${n% *}.mkv" "$XDG_STATE_HOME"/runnel/*.chain)
    expect_eq "kept of ${n% *}.mkv" "$(grep -v '^#' "$file")" "erosion=radius=${n#* }"
done

begin "> keeps the old picture, also in a window that is drawn anew, until the next input has one"
clip white.mkv "lavfi:color=white:s=96x64:r=25:d=1" -pix_fmt gray -c:v ffv1
clip next.y4m "lavfi:color=gray:s=96x64:r=25:d=1" -pix_fmt gray
mkfifo late go
play white.mkv late -f erosion=slices=7 # which waits for frames behind
{ head -c 40000 next.y4m; read -r _ <go; tail -c +40001 next.y4m; } >late &
after greater expect_title "late (2/2) - runnel"
after f expect_screen "the old picture, white" lit 400x400+400+300 159000 160000
key f
echo on >go
expect_frame "the end" 24

begin "at the end of one the next begins; the last one stays; with --loop it goes round"
play shorta.mkv shortb.mkv shortc.mkv -f invert --untimed
expect_title "shortc.mkv (3/3) - runnel"
expect_frame "the end" 2
expect_as_rendered shortc.mkv
expect_eq "frames of each" "$(cut -d' ' -f1,2 hash | tr '\n' ' ')" "0 0 1 0 2 0 0 0 0 1 0 2 1 0 1 1 1 2 2 0 2 1 2 2 0 0 0 1 0 2 1 0 1 1 1 2 2 0 2 1 2 2 "
rounds() { [ "$(grep -c "^2 $2" hash)" -ge $1 ]; } # rounds, plane
after "greater less" wait_for 20 rounds 4 2 || complain "the second and the third do not follow"
expect_eq "what was shown" "$(sed 1,21d hash)" "$(sed -n 4,21p hash)"
play shorta.mkv shortb.mkv --loop --untimed
wait_for 20 rounds 6 0 || complain "no loop"

begin "what cannot be opened, or does not take the chain, is said and passed over, and the old one stays"
play a.mkv no.mkv b.mkv
after greater expect_title "b.mkv (3/3) - runnel"
after less expect_title "a.mkv (1/3) - runnel"
quit
grep -q "no.mkv" err || complain "nothing is said of no.mkv"
play_at_first deep.mkv b.mkv no.mkv -f levels=black=600native
key greater
wait_for 20 grep -aq "600native is out of range" err || complain "nothing is said of the chain"
expect_as_rendered deep.mkv
expect_title "deep.mkv (1/3) - runnel"
change Right
expect_as_rendered deep.mkv
play shorta.mkv no.mkv --untimed
after Left wait_for 20 grep -q no.mkv err || complain "nothing is said of no.mkv"
after Left expect_frame "the end again" 2
quit
expect_eq "lines about no.mkv" "$(grep -c no.mkv err)" 1
fails 2 "record tells of the frames of one input" runnel play a.mkv b.mkv --record tape
expect_no_file tape
fails 2 "would overwrite the input" runnel play a.mkv b.mkv -f stats=file=b.mkv -y

if make_drop; then
    begin "a file that is dropped is shown; several are a list; a chain file is the chain"
    play a.mkv -f erosion=radius=2
    drop b.mkv
    expect_title "b.mkv - runnel"
    pause_at_first
    expect_as_rendered b.mkv
    drop c.mkv a.mkv
    expect_title "c.mkv (1/2) - runnel"
    after greater expect_title "a.mkv (2/2) - runnel"
    echo median=radius=2 >tuned.chain
    drop tuned.chain
    expect_written median=radius=2
    expect_as_rendered a.mkv
    tuned u erosion=radius=2
    play a.mkv -f erosion --record tape
    drop b.mkv
    wait_for 20 grep -aq "a recording tells of one input" err ||
        complain "nothing is said of the record"
    expect_title "a.mkv - runnel"
    play a.mkv c.mkv
    after greater expect_title "c.mkv (2/2) - runnel"
    drop no.mkv
    wait_for 20 grep -q no.mkv err || complain "nothing is said of no.mkv"
    after less expect_title "a.mkv (1/2) - runnel"
fi
