#!/bin/sh
# The preview beside another file: frame by frame, the figures over time, and the search for its settings.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
make_long in.mkv 3
ok runnel render in.mkv ref.mkv -q --codec ffv1 -f boxblur=radius=3,levels=gamma=0.8

begin "--reference: the frame of the same number beside it, after steps and seeks; the tune finds what made it"
play_at_first in.mkv -f boxblur,levels --reference ref.mkv --ipc sock
script <<'PY'
def of_frame(begin):
    got = player("get", "figures")
    assert got.startswith(begin), (player("get", "frame"), got)
of_frame("PSNR ")
player("set", "chain", "boxblur=radius=3,levels=gamma=0.8")
for step in [("seek", "60f", "absolute"), ("frame-step", 1), ("frame-back-step", 5), ("seek", "3f", "absolute"),
             ("frame-step", 40), ("seek", "20f", "absolute"), ("seek", "74f", "absolute")]:
    player(*step)
    of_frame("identical")
player("figures", "table.csv")
player.refused("figures", "table.csv")
player("states", "input", "now")
expect("not compared", player("get", "figures"), None)
player("set", "chain", "boxblur=radius=9,levels=gamma=1.7")
player("tune", "boxblur.radius levels.gamma")
of_frame("identical")
player("undo")
expect("undone", player("get", "chain"), "boxblur=radius=9,levels=gamma=1.7")
PY
expect_eq "table" "$(grep -cxE '(0,0|20,0.8|74,2.96)[.0]*,inf,1.000000' table.csv)" 3
expect_eq "rows with other figures" "$(sed 1d table.csv | grep -vc ',inf,1.000000$')" 0

begin "--reference: every frame that is shown; PSNR as a curve above the seek bar; a file that ends too early"
{ seq 0 24; seq 49 73; } | sed "s/.*/file '&.png'/" >list
ok runnel render in.mkv %d.png -q
ok ffmpeg -nostdin -v error -r 25 -f concat -i list -c:v ffv1 half.mkv
play in.mkv --reference half.mkv --untimed --ipc sock
wait_for $patience is_frame 74
grep -q 'the reference has no frame 50' err || complain "said: $(cat err)"
echo 'player("figures", "all.csv")' | script
expect_eq "frames" "$(cut -d, -f1 all.csv | sed 1d | tr '\n' ' ')" "$(seq -s ' ' 0 49) "
expect_eq "identical" "$(grep -c inf all.csv)" 25
key T # the curve is at its top
expect_screen "identical" colour 255,214,102 40 211
expect_screen "not so" within 1x1+160+211 0 100

begin "--reference: another size, another number of frames"
clip small.mp4 lavfi:testsrc2=s=160x120:r=25:d=1
clip long.mp4 lavfi:testsrc2=s=160x120:r=25:d=2
clip large.mp4 lavfi:testsrc2=s=320x240:r=25:d=1
fails 2 "'large.mp4' is 320 x 240, the input 160 x 120" runnel play small.mp4 --reference large.mp4
fails 2 "'long.mp4' has 50 frames, the input 25" runnel play small.mp4 --reference long.mp4
