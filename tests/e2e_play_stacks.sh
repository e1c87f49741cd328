#!/bin/sh
# The preview of stacks: the wheel, window and level, the mask, three views.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

expect_gray() { expect_screen "$1" means "$4" "$2" "$3"; } # what, x, y, value

edge=40x60+150+0 # of the two halves

# Slice k of 12 is 100 * k on the left and 2000 on the right; 40 HU is 1064.
"$PYTHON" - <<'PY'
import nibabel, numpy as np, tifffile
v = np.full((12, 240, 320), 2000, np.int16)
v[:, :, :160] = 100 * np.arange(12)[:, None, None]
affine = np.diag([-0.5, -0.5, 2.5, 1])
affine[:3, 3] = 100, 80, 5.5
image = nibabel.Nifti1Image(v.T, affine)
image.header["cal_min"], image.header["cal_max"] = 0, 2000
nibabel.save(image, "slices.nii")
z, y, x = np.mgrid[:12, :240, :320]
sides = np.uint8(128 * (x >= 160) + 64 * (y >= 120) + 32 * (z >= 6)) # right, front, head
nibabel.save(nibabel.Nifti1Image(sides.T, np.diag([1, 1, 20, 1])), "ras.nii")
tifffile.imwrite("pages.tif", v.astype(np.uint16), photometric="minisblack")
for k in range(12):
    tifffile.imwrite(f"file{k:02}.tif", v[k].astype(np.uint16), photometric="minisblack")
PY

begin "wheel: a slice for each notch, exactly; with Ctrl it zooms"
for stack in slices.nii pages.tif 'file*.tif'; do
    play "$stack"
    point 160 120
    [ "$stack" != 'file*.tif' ] || pause_at_first
    expect_frame "$stack begins" 0
    wheel down 1
    expect_frame "$stack, one notch" 1
    wheel down 6
    expect_frame "$stack, six more" 7
    wheel up 3
    expect_frame "$stack, three back" 4
    wheel down 99
    expect_frame "$stack, the end" 11
    wheel up 99
    expect_frame "$stack, the beginning" 0
done
play slices.nii
point 120 120
settle
shot fit
xdo keydown ctrl click 4 keyup ctrl
expect_seen "zoomed" $edge fit other
after z expect_seen "fitted" $edge fit same
expect_frame "zoomed" 0
kill -STOP $player
xdo keydown ctrl click 4 keyup ctrl
kill -CONT $player
expect_seen "zoomed, and Ctrl was let go before anybody looked" $edge fit other
expect_frame "zoomed" 0

begin "g: slices by the numbers that are shown, from 1; frames from 0"
for stack in slices.nii 'file*.tif'; do
    play_at_first "$stack"
    go 7
    expect_frame "$stack, slice 7" 6
    go +3
    expect_frame "$stack, three on" 9
    go -9
    expect_frame "$stack, nine back" 0
    go 7f
    expect_frame "$stack, frame 7" 7
    go 13 # there are 12
    after "BackSpace Return" expect_frame "$stack, mended to slice 1" 0
done

begin "a clip: the wheel zooms, with and without Ctrl"
make_tiny clip.mkv gray 320x240
play_at_first clip.mkv
shot fit
point 160 120
wheel up 1
expect_seen "zoomed" 100x60+0+0 fit other
after z expect_seen "fitted" $upper fit same
xdo keydown ctrl click 4 keyup ctrl
expect_seen "zoomed with Ctrl" 100x60+0+0 fit other
expect_frame "the same" 0

begin "a volume begins paused, and plays on Space; with --loop or --untimed at once"
play slices.nii
settle
expect_frame "at first" 0
after space expect_frame "played" 11
play slices.nii --untimed
expect_frame "untimed" 11
play slices.nii --loop
expect_beyond "in a loop" 1

begin "right-drag: window and level; W: back; the samples stay"
play slices.nii -f median
point 160 120
wheel down 5
expect_frame "the slice" 5
settle
expect_gray "of the file" 40 60 64
expect_gray "of the file" 240 60 255
drag 3 160 120 80 120 # half as wide: 500..1500
expect_gray "narrower" 40 60 0
expect_gray "narrower" 240 60 255
drag 3 160 120 160 180 # its middle 500 higher: 1000..2000
expect_gray "higher" 40 60 0
expect_gray "higher" 240 60 255
drag 3 160 120 240 180 # twice as wide, its middle 500 higher: 1000..3000
expect_gray "wider" 240 60 128
expect_as_rendered slices.nii
after W expect_gray "W" 40 60 64
play slices.nii -f median --versus median=radius=2
point 160 120
wheel down 5
expect_frame "side by side" 5
expect_gray "of the file" 20 100 64
expect_gray "of the file" 180 100 64
drag 3 160 120 80 120
expect_gray "narrower, the other chain" 20 100 0
expect_gray "narrower" 180 100 0
clip deep.y4m "lavfi:color=gray:s=320x240:r=25" -frames:v 3 -pix_fmt yuv420p10le -strict -1
play_at_first deep.y4m
shot whole
drag 3 160 120 100 100
expect_seen "10 bits" $upper whole other
after W expect_seen "W" $upper whole same
make_tiny deep.mkv gray10le 320x240
play_at_first deep.mkv -f median
thumb=60x40+250+150
shot bare
point 290 228
expect_seen "the thumbnail" $thumb bare other
settle
shot thumb
drag 3 60 120 30 120
point 290 228
expect_seen "the thumbnail, narrower" $thumb thumb other
after W expect_seen "the thumbnail, W" $thumb thumb same

expect_colour() { expect_screen "$1" colour "$(echo "$4" | tr ' ' ,)" "$2" "$3"; } # what, x, y, R G B

begin "k, (, ): the result as a mask over the source"
play slices.nii -f threshold=1500
settle
expect_colour "the result" 240 60 "255 255 255"
after k expect_colour "the mask" 240 60 "255 152 152"
expect_colour "beside it" 40 60 "0 0 0"
key --delay 30 parenright parenright
expect_colour "70 %" 240 60 "255 110 110"
key --delay 30 parenleft parenleft parenleft parenleft
expect_colour "30 %" 240 60 "255 193 193"
after b expect_colour "bypassed" 240 60 "255 255 255"
key b Down # another level is another mask
after x expect_colour "the stage off: all that is not 0" 240 60 "255 193 193"
point 160 120
settle
wheel down 8
expect_frame "another slice" 8
expect_colour "another slice" 40 60 "148 86 86" # 800 of 2000 is 102
after "x k" expect_colour "no mask" 240 60 "255 255 255"

# across.py answers X Y SLICE, each `-` if it is not known, and of what is shown: whether the file got, which c copied,
# tells of that sample what is in in0.npy and out0.npy, and where it lies.
cat >across.py <<'PY'
import re, sys
import nibabel, numpy as np
def check(known, shown=None):
    lines = open("got").read().split("\n")
    title = [int(v) for v in re.findall(r"\d+", lines[0].split("\t")[0])]
    x, y, k = title[0], title[1], title[2] - 1 if len(title) > 2 else int(shown)
    for got, want in zip((x, y, k), known):
        assert want == "-" or got == int(want), f"{lines[0]}: not {want}"
    values = [int(v.split()[0]) for v in lines[1].split("\t")[1:]]
    want = [int(np.load(name)[k, y, x]) for name in ("in0.npy", "out0.npy")]
    assert values == want, f"{values}, not {want}"
    place = nibabel.load("noise.nii").affine @ [x, y, k, 1] * [-1, -1, 1, 1]
    assert lines[2] == " ".join(f"{v + 0.0:.10g}" for v in place[:3]) + " mm LPS", lines[2]
for question in sys.stdin:
    words = question.split()
    try:
        check(words[:3], *words[3:])
        print("yes", flush=True)
    except Exception as wrong: # what is shown may be on its way
        print(str(wrong).replace("\n", " ") or "no", flush=True)
PY
copied() { # what is asked of across.py
    key c
    timeout 10 xclip -o -selection clipboard >got 2>/dev/null
    echo "$*" >&8
    read -r answer <&9 && [ "$answer" = yes ]
}
expect_sample() { # what, x, y, as across.py
    what=$1
    point "$2" "$3"
    shift 3
    wait_for 20 copied "$@" || complain "$what: $answer"
}

begin "t: three views, exact at full depth, in the patient's coordinates; with other parameters, too"
"$PYTHON" - <<'PY'
import nibabel, numpy as np
v = np.random.default_rng(7).integers(-2000, 3000, (16, 80, 160), np.int16)
affine = np.diag([-0.5, -0.5, 2.5, 1])
affine[:3, 3] = 40, 20, -10.5
nibabel.save(nibabel.Nifti1Image(v.T, affine), "noise.nii")
np.save("in0.npy", v)
PY
if command -v xclip >/dev/null; then
    start_judge across.py
    filtered noise.nii closing=slices=1
    play noise.nii -f closing=slices=1
    xdo windowsize "$window" 642 402 # each view 320 x 200: 160 x 80 pixels twice as large; 16 slices 10 high
    after t expect_sample "the slice" 51 41 25 10 - 0
    expect_sample "the columns: rows and slices, the head at the top" 408 43 80 10 12
    expect_sample "the rows" 51 267 25 40 11
    point 408 43
    xdo click 1
    expect_frame "the slice that was clicked at" 12
    expect_sample "the rows through the cross" 51 267 25 10 11
    wheel down 3
    expect_sample "the rows, three on" 51 267 25 13 11
    point 408 43
    wheel up 2
    expect_sample "the columns, two back" 408 43 78 10 12
    point 51 41
    wheel down 1
    expect_frame "the next slice" 13
    drag 1 51 41 151 61
    expect_sample "the columns, dragged" 408 43 75 10 12
    expect_sample "the rows, dragged" 51 267 25 20 11
    key Up
    filtered noise.nii "$(written)"
    expect_sample "with another parameter" 51 267 25 20 11
    key x
    cp in0.npy out0.npy
    expect_sample "with the stage off" 408 43 75 10 12
    key x
    filtered noise.nii "$(written)"
    expect_sample "on again" 51 267 25 20 11 # of the first slices: all others are there
    expect_sample "on again" 51 377 25 20 0
    coronal=300x100+10+230
    point 640 400
    settle
    shot filtered
    after b expect_seen "the rows of the source" $coronal filtered other
    after b expect_seen "and filtered again" $coronal filtered same
    after k expect_seen "a mask over them" $coronal filtered other
    key k t
    xdo windowsize "$window" 640 320
    filtered noise.nii "$(written)"
    expect_sample "one view" 101 41 25 10 - 13
fi

begin "t: of a scan in RAS, too, the right side is at the left, the front at the top or left, the head at the top"
play ras.nii
after t expect_screen "the slice" means 192,64,128,0 30 30 120 30 30 90 120 90
expect_screen "the planes" means 224,160,192,96,192 190 30 285 30 190 90 120 150 30 190
drag 1 100 80 120 90 # to the left, behind
expect_screen "the planes there" means 96,32,160,32 190 30 285 30 30 150 140 150

begin "t: with other filters, and with a kernel that is saved anew, whether it builds or not"
if command -v xclip >/dev/null; then
    kernel() { printf 'float filter(IN) { return %s; }\n' "$1" >my.new && mv my.new my.cl; }
    kernel '2.0f * PIXEL(0, 0)'
    play noise.nii --kernel my.cl
    xdo windowsize "$window" 642 402
    key t
    filtered noise.nii custom=file=my.cl
    expect_sample "the rows" 51 267 25 40 11
    key n i n v e r t Return
    filtered noise.nii "$(written)"
    expect_sample "with one filter more" 51 267 25 40 11
    kernel '3.0f * PIXEL(0, 0)'
    filtered noise.nii "$(written)"
    expect_sample "another kernel" 51 267 25 40 11
    kernel '3.0f * NOTHING_SUCH(0, 0)'
    wait_for 20 grep -q 'my.cl.*the last good one goes on' err || complain "nothing is said of the kernel"
    expect_sample "the last good one" 51 267 25 40 11
    kernel '-1.0f * PIXEL(0, 0)'
    filtered noise.nii "$(written)"
    expect_sample "another good one" 51 267 25 40 11
fi

begin "t: three views of a picture whose filters look at no other, without a word"
play "$root/media/scan.tif" -f invert
press t
quit
grep -a error err && complain "an error was told"

begin "t, b: with --versus, too, the three views of the source"
play slices.nii -f median --versus threshold=1500
point 160 120
wheel down 5
expect_frame "the slice" 5
after "t b" expect_gray "the slice of the source" 30 85 64

# All samples differ by 100 of a window of 2000: 51 of 255, four times as strong.
begin "t, D: the difference from the source in all three views, amplified alike; with --versus, too"
same="convolution=matrix='0 0 0 0 1 0 0 0 0'"
for other in '' "$same:bias=300"; do
    play slices.nii -f "$same:bias=100" ${other:+--versus "$other"}
    key t D
    for gray in 51 102; do
        expect_gray "the slice" 30 85 $gray
        expect_gray "the columns" 190 62 $gray
        expect_gray "the rows" 30 172 $gray
        key braceright
    done
    after b expect_gray "the columns of the source" 190 62 255
    after "b braceleft braceleft" expect_gray "the columns again" 190 62 51
    key k # the difference comes before the mask
    expect_gray "the columns still" 190 62 51
    after D expect_screen "no difference" other_means 51 190 62
done

# A job ends where the player's thread asks for it twice in a row.
begin "t: the runner of three views is there between two questions"
cat >asked.c <<'C'
int pthread_mutex_lock(pthread_mutex_t *m)
{
    static volatile int twice;
    static void *last;
    char name[16];
    Dl_info from;
    void *caller = __builtin_return_address(0);
    pthread_getname_np(pthread_self(), name, sizeof name);
    if (dladdr(caller, &from) && strstr(from.dli_fname, "runnel-play")) {
        for (int ms = 0; ms < 100 && !twice && !strcmp(name, "jobs"); ms++)
            usleep(1000);
        if (getpid() == syscall(SYS_gettid)) {
            twice = caller == last;
            usleep(twice ? 5000 : 0);
            twice = 0;
            last = caller;
        }
    }
    return REAL(pthread_mutex_lock)(m);
}
C
behind asked -include pthread.h
play slices.nii -f "$same:bias=100"
after "t D" expect_gray "the columns" 190 62 51
plain

begin "times of NIfTI and DICOM: the next one at the same slice by keys and by a script"
"$PYTHON" - <<'PY'
import os
import nibabel, numpy as np
from dicom import write
v = np.arange(15, dtype=np.uint16).reshape(5, 3, 1, 1) * np.ones((240, 320), np.uint16)
image = nibabel.Nifti1Image(v.T, np.eye(4))
image.header["pixdim"][4] = 2.5
image.header.set_xyzt_units("mm", "sec")
nibabel.save(image, "times.nii")
os.mkdir("times")
for t, z in np.ndindex(5, 3):
    write(f"times/{t}-{z}.dcm", v[t, z], position=(0, 0, z), spacing=(1, 1), tags=[(0x18, 0x1060, "DS", 40 * t)])
PY
command -v gdcmconv >/dev/null && [ -e "$(dirname "$RUNNEL")/runnel-dicom.so" ] || rm -r times
for stack in times.nii times; do
    [ -e $stack ] || continue
    play $stack --ipc sock
    point 160 120
    wheel down 1
    expect_frame "$stack, the second slice" 1
    after alt+Right expect_frame "$stack, the next time" 4
    after "alt+Right alt+Right" expect_frame "$stack, two more" 10
    wheel up 1
    expect_frame "$stack, the first slice of that time" 9
    after "alt+Right alt+Right alt+Right" expect_frame "$stack, the last time" 12
    after alt+Left expect_frame "$stack, one back" 9
    script <<'PY'
player("time", -2)
expect("frame", player("get", "frame"), 3)
player("time", 9)
expect("frame after that", player("get", "frame"), 12)
PY
done
play_at_first clip.mkv --ipc sock
script <<'PY'
expect("refusal", player.ask("time", 1)["error"], "the input has not several points in time")
PY
shot one # t is refused for a clip, with a word
after t expect_seen "a word" 100x20+0+220 one other
expect_seen "the same picture" $upper one same
