#!/bin/sh
# The preview: snapshots of the chain, to go back to and to compare with.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

clip=clip.mkv
make_long $clip 4

begin "Shift+F1..F4 stores, F1..F4 go there, F5 there and back; u undoes each of it"
play_paused $clip -f erosion=radius=2
tuned "F1 F5" erosion=radius=2 # nothing there
tuned "shift+F1 Tab Up shift+F2 Up Up" erosion=radius=5
tuned F1 erosion=radius=2 $clip
tuned F5 erosion=radius=5
tuned F5 erosion=radius=2 $clip
tuned "F2" erosion=radius=3
tuned "Up" erosion=radius=4
tuned F5 erosion=radius=3
tuned F5 erosion=radius=4
tuned "u u u" erosion=radius=3
tuned "u u" erosion=radius=5
tuned "shift+F1 Up Up F1" erosion=radius=5
tuned "u u u" erosion=radius=5
tuned "u" erosion=radius=5 # what A held is back
tuned "F1" erosion=radius=2
tuned "N Next Delete N Up F2" erosion=radius=3 # from other filters
expect_as_rendered $clip
cp $clip other.mkv # without these snapshots
play_paused other.mkv -f erosion=radius=2
tuned "shift+F1 F5" erosion=radius=2 # nothing to flip to
tuned "Tab Up shift+F2 F5" erosion=radius=2
tuned F5 erosion=radius=3

begin "F6: both pictures, how many samples differ and by how much; again, or Esc: the chain alone"
cp $clip third.mkv
play_paused third.mkv -f erosion=radius=2,stats --ipc sock
expect_answer() { # what the figures are to be
    press F6
    python3 -c 'from ipc import *; print(Player()("get", "figures"))' >answer
    grep -q "$1\$" answer || complain "F6 shows '$(cat answer)', not '$1'"
    press ${2:-F6}
    python3 -c 'from ipc import *; expect("again", Player()("get", "figures"), None)' || complain "F6 again"
}
picture() { # name
    rm -f runnel-*.png
    after s wait_for 20 test -s runnel-0001.png || complain "s wrote no picture"
    convert runnel-0001.png -depth 8 "gray:$1"
}
key F6 # nothing there
after shift+F3 expect_answer "identical pictures" Escape
picture a
change Tab Up Up
picture b
shown=$(last)
want=$(cmp -l a b | awk '{a = int($2 / 100) * 64 + int($2 / 10) % 10 * 8 + $2 % 10
    b = int($3 / 100) * 64 + int($3 / 10) % 10 * 8 + $3 % 10
    d = a > b ? a - b : b - a; if (d > most) most = d} END {print NR, most}')
[ "${want% *}" -gt 1000 ] || complain "the pictures hardly differ: $want"
expect_answer "${want% *} of 76800 samples differ, at most by ${want#* }"
settle
expect_eq "the picture after it" "$(last)" "$shown"
expect_as_rendered $clip
tuned "Down Down" erosion=radius=2,stats
expect_answer "identical pictures"
key Up Up F5 # of the two that F5 goes between
expect_answer "${want% *} of 76800 samples differ, at most by ${want#* }"
key u shift+F1 # just stored: with the one stored before
expect_answer "${want% *} of 76800 samples differ, at most by ${want#* }"
script <<'PY'
player("set", "chain", "erosion=slices=1")
player("action", "panel")
said = next(s for _ in range(9) if "slices" in (s := player("action", "param-next")))
expect("said", said.split("  ")[2], "1 frame")
PY
