#!/bin/sh
# The preview while kernels are built for what is beside the chain: another input, the file of a kernel, a
# comparison, three views, the first words that are typed. Whoever builds, keys are answered meanwhile.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

make_tiny a.mkv gray 96x64
make_tiny b.mkv gray16le 160x120
make_tiny c.mkv gray 64x96
make_slow || { skip "cc cannot make the library"; finish; }

kernel() { printf 'float filter(IN) { return %s; }\n' "$1" >my.new && mv my.new my.cl; }
expect_answers() { # while somebody builds: a key, what w then writes; and frames go on
    expect_building
    tuned "$1" "$2"
    expect_beyond "while kernels are built" $(($(frame) + 3))
    [ -e hold ] || complain "nobody holds the compiler"
}

begin "another input: the old one plays on, keys are answered, and the new one comes with what was tuned"
play a.mkv b.mkv c.mkv -f erosion=radius=2 --loop
hold
after greater expect_answers "Tab Up" erosion=radius=3
expect_title "a.mkv (1/3) - runnel"
shot waiting
let_go
expect_title "b.mkv (2/3) - runnel"
pause_at_first
expect_as_rendered b.mkv
expect_eq "chain" "$(written)" erosion=radius=3

if [ "${WHOLE-}" ]; then
    begin "another input: the last key wins, whatever is being built"
    play_paused a.mkv c.mkv b.mkv -f erosion=radius=2
    hold
    tuned "n i n v e r t Return" erosion=radius=2,invert
    expect_building
    key greater greater
    expect_eq "chain" "$(written)" erosion=radius=2,invert
    let_go
    expect_title "b.mkv (3/3) - runnel"
    expect_frame "the first" 0
    expect_as_rendered b.mkv
    hold
    tuned "n s o b e l Return" erosion=radius=2,invert,sobel
    key less less
    expect_eq "chain" "$(written)" erosion=radius=2,invert,sobel
    let_go
    expect_title "a.mkv (1/3) - runnel"
    expect_as_rendered a.mkv

    begin "another input that does not take what is tuned meanwhile: said, and the old one stays"
    play_paused b.mkv a.mkv -f levels=black=10
    hold
    key greater
    expect_building
    tuned "Return 6 0 0 n a t i v e Return" levels=black=600native
    let_go
    wait_for $patience grep -aq "600native is out of range" err || complain "nothing is said"
    expect_title "b.mkv (1/2) - runnel"
    expect_as_rendered b.mkv
fi

begin "q while another input is opened: at once"
play a.mkv b.mkv -f erosion=radius=2
hold
key greater
expect_building
key q
closed 0
let_go

begin "a kernel that is saved: the old one plays on until the new one is built; one that does not build is said"
kernel 'PIXEL(0, 0) * 0.5f'
play a.mkv --kernel my.cl --loop
hold
kernel '255 - PIXEL(0, 0)'
expect_answers "n i n v e r t Return" custom=file=my.cl,invert
key u
let_go
pause
expect_as_rendered a.mkv
hold
kernel 'nothing'
expect_building
change Home
expect_frame "answered" 0
last >want
let_go
wait_for $patience grep -q 'my.cl.*the last good one goes on' err ||
    complain "nothing is said of the kernel"
settle
expect_printed want last
key E
wait_for $patience grep -q "no $PWD/runnel-0001.mkv: custom: 'my.cl' does not build" err ||
    complain "why nothing is rendered: $(grep 'no /' err)"
kernel 'PIXEL(0, 0)'
lines=$(wc -l <hash)
wait_for $patience more_lines || complain "the kernel that builds again is not shown"
expect_as_rendered a.mkv

begin "a key for which a kernel has to be built anew: the old picture stays until it is"
kernel "255 - PIXEL(0, 0) + 0 * $$$(date +%s)"
play a.mkv -f format=gray16le,custom=my.cl,format=gray --loop
hold
key x
expect_answers "Next Next x" format=format=gray16le:enable=0,custom=file=my.cl,format=enable=0
let_go
pause
expect_as_rendered a.mkv

begin "what is compared with: keys are answered while its kernels are built, and then it is there"
kernel '255 - PIXEL(0, 0)'
play_at_first a.mkv -f custom=my.cl,erosion
press V
shot input
hold
key Next o
expect_building
after period expect_frame "a step" 1
after comma expect_frame "and back" 0
let_go
expect_seen "the picture before the last stage" 140x100+0+60 input other
hold
key v
key o
expect_eq "chain" "$(written)" custom=file=my.cl,erosion
let_go

begin "a kernel of the other chain is saved, with another parameter: it is built and shown once"
kernel 'PIXEL(0, 0) * 0.5f'
play_at_first a.mkv -f erosion --versus custom=my.cl:border=mirror
settle
shot before
news() { grep -c 'my.cl.* is new and runs' err; }
is_new() { [ "$(news)" -gt 0 ]; }
printf '//@param gain 0 4 0.1 1 how much\nfloat filter(IN) { return 255 - gain * PIXEL(0, 0); }\n' >my.new
mv my.new my.cl
wait_for $patience is_new || complain "the kernel is not taken"
expect_seen "the other chain" $whole before other
press X
tuned Up custom=file=my.cl:gain=1.1:border=mirror
settle
expect_eq "kernels taken" "$(news)" 1
expect_as_rendered a.mkv

begin "a kernel of the other chain that does not build is said on the screen, until it does"
kernel 'PIXEL(0, 0) * 0.5f'
play_at_first a.mkv -f erosion --versus custom=my.cl
settle
shot before
kernel nothing
expect_seen "the alert" 320x40+0+100 before other
shot alert
kernel 'PIXEL(0, 0) * 0.5f'
expect_seen "no alert" 320x40+0+100 before same
kernel nothing
expect_seen "the alert again" 320x40+0+100 alert same
xdo windowsize "$window" 640 480
expect_size "a larger window" 640x480
settle
shot alert
point 600 200
xdo click 3
expect_seen "the alert, where no menu is" 250x30+0+0 alert other
press Escape
kernel 'PIXEL(0, 0) * 0.5f'

begin "three views: keys are answered while their kernels are built, and then they are filled"
"$PYTHON" -c 'import nibabel, numpy as np
nibabel.save(nibabel.Nifti1Image(np.arange(160*80*16, dtype=np.int16).reshape(160, 80, 16), np.eye(4)), "v.nii")'
play v.nii --kernel my.cl
hold
key t
expect_building
after period expect_frame "a step" 1
after comma expect_frame "and back" 0
expect_eq "chain" "$(written)" custom=file=my.cl
shot empty
let_go
expect_seen "the planes" 200x100+0+130 empty other

begin "what is typed behind n while the first kernels are built is a filter's name"
hold
opened a.mkv -f erosion=radius=2
expect_building
shot empty
after "n i n v" expect_seen "the field" 200x60+0+0 empty other
key e r t Return
key space
key n x
let_go
wait_for $patience test -s hash || complain "no picture comes"
key Escape
expect_eq "chain" "$(written)" erosion=radius=2,invert
expect_as_rendered a.mkv
