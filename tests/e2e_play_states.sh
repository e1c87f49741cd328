#!/bin/sh
# The preview: any two states of a frame together - snapshots, the chain, the input, the picture after a stage.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

clip in.mkv "lavfi:testsrc2=s=320x240:r=25,noise=alls=60:allf=t:all_seed=3" -frames:v 5 -pix_fmt gray -c:v ffv1
picture_of() { # name, chain: of the first frame, as it is shown
    ok runnel render in.mkv made.png -y -q --frames 1 -f "$2"
    convert made.png -depth 8 -type TrueColor "$1.ppm"
}
states() { # left, right, and what they are: chains
    echo "player('states', '$1', '$2')" | script
    picture_of left "$3"
    picture_of right "$4"
    settle
    expect_seen "$1, on the left" 150x150+0+50 left same
    expect_seen "$2, on the right" 150x150+170+50 right same
}

begin "any two of the input, the chain, snapshots and stages, of other filters, too: split, side by side, flip"
play_at_first in.mkv -f erosion=radius=2,boxblur --ipc sock
press shift+F1 v
tuned "Tab Up N Next N Up" erosion=radius=3,erosion=radius=3,boxblur,boxblur=radius=2
press shift+F2
a=erosion=radius=2,boxblur b=erosion=radius=3,erosion=radius=3,boxblur,boxblur=radius=2
tuned "Delete" "${b%,*}"
press v v # from a split view
states A B $a $b
states B A $b $a
states input B format=gray $b
states A now $a "${b%,*}"
states 1 B erosion=radius=3 $b
states 3 before "${b%,*}" erosion=radius=3,erosion=radius=3
press b
expect_seen "flip" 150x150+170+50 left same
press b
cat >figures.py <<'PY'
player("states", "A", "A")
expect("of one state", player("get", "figures"), "identical pictures")
expect("of one picture", player("action", "split") and player("get", "figures"), None)
player("states", "A", "B")
assert player("get", "figures").startswith("PSNR "), player("get", "figures")
player("set", "chain", "format=gray16")
player("states", "A", "now")
expect("of two formats", player("get", "figures"), "no figures: 320 x 240 gray beside 320 x 240 gray16")
expect("Esc", player("action", "leave"), "the chain alone")
expect("Ctrl+c", player("action", "copy-chain"), "copied: format=format=gray16")
player("states", "A", "now")
player.refused("states", "C", "now")
player("store", 1)
player("states", "input", "now")
expect("what differs", player("action", "compare"), "B to now: - erosion, - erosion, - boxblur, - boxblur, + format; Esc: the chain alone")
player("set", "chain", "format=gray16le,boxblur=radius=4,erosion,levels,threshold")
player("store", 3)
player("set", "chain", "erosion=radius=5,boxblur=radius=4,median,levels=black=20:white=255,threshold=otsu=1")
expect("what differs", player("action", "compare"),
       "C to now: - format, erosion.radius 1 px -> 5 px, boxblur moved to 2, + median, "
       "levels.black 0 of 255 -> 20 of 255, threshold.otsu off -> on; Esc: the chain alone")
PY
script <figures.py
press n i n v e r t Return
echo 'expect("said", player("get", "message"), "added invert; p shows all parameters")' | script
press D o O period Home
echo 'player("states", "A", "B")' | script
press D v v b
echo 'assert player("get", "message").startswith("A: erosion"), player("get", "message")' | script
press b Escape
echo 'expect("Esc", player("get", "message"), "the chain again"); player("states", "A", "B")' | script
press v v shift+F4
picture_of chain "$(written)"
expect_seen "what is tuned is seen" 300x150+10+50 chain same
echo 'player("states", "A", "B")' | script
press v v u u
picture_of undone "$(written)"
expect_seen "and what is undone" 300x150+10+50 undone same

begin "h: the waveform, the vectorscope and the histogram of both sides"
ok ffmpeg -nostdin -v error -f lavfi -i "color=gray:s=320x240:r=25:d=0.2,format=gray,geq=lum='255*gte(X,160)'" two.mkv
play_at_first two.mkv -f invert
press h
# The ends of the range over the columns: a step up, and down behind the filter.
for x in 178 225; do expect_screen "waveform" bright 16x1+$x+25 130; done
for x in 110 280; do expect_screen "waveform" within 16x1+$x+25 0 120; done # the line of its scale
for y in 49 85; do expect_screen "128 and 0 on its scale" lit 24x11+202+$y 3 99; done

begin "tune: the values that come nearest to the other side, in one step of u"
cp in.mkv tuned.mkv # without the snapshots of before
play_at_first tuned.mkv -f boxblur=radius=9,levels=gamma=1.7 --ipc sock
press shift+F1
cat >tune.py <<'PY'
player("set", "chain", "boxblur,levels=gamma=0.6")
player.refused("tune", "boxblur.nothing")
player("states", "A", "now")
player("tune", "boxblur.radius levels.gamma")
expect("figures", player("get", "figures"), "identical pictures")
PY
script <tune.py
tuned u boxblur,levels=gamma=0.6
press u u # and the snapshot
echo 'expect("said", player("get", "message"), "refused: the snapshot is empty")' | script
tuned "U U U" boxblur=radius=9,levels=gamma=1.7

begin "C: a contact sheet of the snapshots and the chain; P writes it, over nothing; y: of presets"
cp in.mkv other.mkv # without the snapshots of before
play_at_first other.mkv -f erosion=radius=2 --ipc sock
key C
quarter() { # x, y, chain
    picture_of left "$3"
    convert $sheet -crop 320x200+$1+$2 +repage -depth 8 -type TrueColor got.ppm
    convert left.ppm -crop 320x200+0+40 +repage -depth 8 -type TrueColor want.ppm
    expect_eq "samples of $sheet that are not those of '$3'" "$(compare -metric AE got.ppm want.ppm null: 2>&1)" 0
}
press shift+F1
echo 'player("set", "chain", "erosion,format=gray16le,median=radius=3")' | script
press shift+F3 Down
for sheet in runnel-sheet-0001.png runnel-sheet-0002.png; do
    settle
    press P
    wait_for 20 test -s $sheet || complain "no $sheet"
done
expect_eq "size" "$(identify -format %wx%h $sheet)" 320x240 # nothing is compared
press C
sheet=runnel-sheet-0003.png
press P
wait_for 20 test -s $sheet || complain "no $sheet"
expect_eq "size" "$(identify -format %wx%h $sheet)" 642x482
quarter 0 40 erosion=radius=2
quarter 322 40 "erosion,format=gray16le,median=radius=3"
quarter 0 282 "$(written)"
press Escape
picture_of left "$(written)"
expect_seen "no sheet" 320x150+0+50 left same
press y
press P
sheet=runnel-sheet-0004.png
wait_for 20 test -s $sheet || complain "no $sheet of presets"
quarter 0 40 @denoise
quarter 322 40 @edges
point 240 60
tuned=$(written)
xdo click --repeat 2 --delay 20 1
press f # out of fullscreen
expect_eq "the chain after a double click" "$(written)" "$tuned"
lines=$(wc -l <hash)
xdo click 1
wait_for 20 more_lines || complain "the click takes nothing by itself"
expect_eq "the preset that was clicked" "$(written)" gray,blur=sigma=1.2,sobel
