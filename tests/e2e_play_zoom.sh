#!/bin/sh
# The preview, looked at closely: zoom and what is seen then, pixel by pixel.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

expect_zoomed() { # what, then as zoomed in screen.py
    what=$1
    shift
    settle
    expect_screen "$what" zoomed "$@"
}

# Every pixel is another one than its neighbours.
noise() { # name, width, height, channels
    "$PYTHON" -c "
import sys, numpy as np
w, h, c = (int(v) for v in sys.argv[2:])
data = np.random.default_rng(1).integers(0, 256, (h, w, c), np.uint8)
open(sys.argv[1], 'wb').write(b'P%d %d %d 255\n' % (6 if c == 3 else 5, w, h) + data.tobytes())" "$@"
}
begin "1 2 3 4 z, wheel: each pixel as many of the screen's, about the pointer"
noise gray.pgm 320 240 1
noise rgb.ppm 320 240 3
for picture in gray.pgm rgb.ppm; do
    make_shots $picture
    play_at_first $picture -f convolution=preset=sharpen
    point 200 60
    expect_zoomed "fit" filtered 1 0 0
    for times in 2 3 4; do
        key $times
        # 200.5 stays: its distance from the corner grows, and that is rounded
        left=$("$PYTHON" -c "import math; print(math.floor(200.5 * (1 - $times) + 0.5))")
        top=$("$PYTHON" -c "import math; print(math.floor(60.5 * (1 - $times) + 0.5))")
        expect_zoomed "key $times" filtered $times "$left" "$top"
        key z
    done
    xdo click --repeat 6 --delay 20 4 # 1.5, 2, 3, 4, 6, 8
    expect_zoomed "wheel" filtered 8 $((-200 * 7 - 3)) $((-60 * 7 - 3))
    xdo click --repeat 2 --delay 20 5
    expect_zoomed "wheel back" filtered 4 $((-200 * 3 - 1)) $((-60 * 3 - 1))
    xdo click --repeat 9 --delay 20 5
    expect_zoomed "wheel all the way back" filtered 1 0 0
done

begin "drag: moves what is zoomed, as far as its edges; resize, fullscreen: the scale and the middle stay"
play_at_first rgb.ppm -f convolution=preset=sharpen
key 3
drag 1 10 10 310 230
drag 1 10 10 310 230
expect_zoomed "the corner" filtered 3 0 0
drag 1 250 150 210 90
expect_zoomed "left button" filtered 3 -40 -60
drag 2 10 10 0 40
expect_zoomed "middle button" filtered 3 -50 -30
for i in 1 2 3; do drag 1 310 230 10 10; done
expect_zoomed "the other corner" filtered 3 -640 -480
drag 1 10 10 310 100
expect_zoomed "back at once" filtered 3 -340 -390
key z
drag 1 10 10 50 50
expect_zoomed "nothing to move" filtered 1 0 0
point 160 120
key 4
drag 1 160 120 60 110 # the point in the middle was 160.375
expect_zoomed "at first" filtered 4 -581 -371
xdo windowsize "$window" 500 300
expect_size "not resized" 500x300
expect_zoomed "resized" filtered 4 -491 -341
after f expect_size "no fullscreen" 1280x1024
expect_zoomed "fullscreen: all columns are there" filtered 4 0 32
after Escape expect_size "fullscreen not left" 500x300
expect_zoomed "as before" filtered 4 -491 -341
key z
after f expect_size "no fullscreen" 1280x1024
expect_zoomed "fitted" filtered 4 0 32
after 1 expect_zoomed "1 in fullscreen" filtered 1 480 392

begin "v: the split line in what is seen, on the edge of a pixel; at it the mouse drags the line"
play_at_first rgb.ppm -f convolution=preset=sharpen
key 4
drag 1 10 10 310 230
drag 1 10 10 310 230
drag 1 10 10 310 230
expect_zoomed "the corner" filtered 4 0 0
key v
expect_sides() { # what, column, left, top: left of it the source, right of it the filtered picture
    expect_zoomed "$1, source" source 4 "$3" "$4" 0 $(($2 - 1))
    expect_zoomed "$1, filtered" filtered 4 "$3" "$4" $(($2 + 1)) 320
}
# At first there are words at the line.
drag 1 250 150 249 150
expect_sides "in the middle" 159 -1 0
drag 1 290 210 249 150 # elsewhere: no double click
expect_sides "moved picture" 162 -42 -60
drag 1 161 100 82 100
expect_sides "moved line" 82 -42 -60
drag 2 82 100 85 101
expect_sides "the middle button moves the picture" 81 -39 -59
after b expect_zoomed "bypass" source 4 -39 -59

begin "a picture larger than the screen: 1 shows its pixels, fitted it has no false patterns"
noise large.pgm 2560 720 1
make_shots large.pgm
cp filtered.ppm large.ppm
play_at_first large.pgm -f convolution=preset=sharpen
expect_eq "window" "$(size)" 1280x360
point 1000 200
key 1
# The point of the picture under the middle of that pixel stays there.
expect_zoomed "1:1" filtered 1 -1000 -200
drag 1 1200 350 100 20
expect_zoomed "its corner" filtered 1 -1280 -360
"$PYTHON" -c "
import numpy as np
y, x = np.mgrid[:1500, :2000]
for name, data in ('checks', (x + y) % 2), ('columns', x % 2), ('rows', y % 2):
    open(name + '.pgm', 'wb').write(b'P5 2000 1500 255\n' + (data * 255).astype(np.uint8).tobytes())"
for name in checks ${WHOLE:+columns rows}; do
    play_at_first $name.pgm
    expect_screen $name within 1270x900+5+5 106 149
done

begin "chroma: 8 times as large, every pixel is that of the PNG that render and s write; with OpenGL, too"
export LIBGL_ALWAYS_SOFTWARE=1
for case in "yuv420p 160 120" "yuv420p 159 119" "yuv422p 159 120" "yuv444p 160 119" "gray 159 119" \
    "yuv420p 160 120 topleft" "yuv420p 160 120 left tff" "opengl yuv420p 160 120" "opengl yuv420p 159 119"; do
    set -- $case
    [ "$1" = opengl ] && SDL_RENDER_DRIVER=opengl && shift
    "$PYTHON" -c "import random; open('noise', 'wb').write(random.Random(1).randbytes(3 * $2 * $3))"
    clip chroma.nut -f rawvideo -pix_fmt $1 -video_size ${2}x$3 -i noise -frames:v 1 -c:v ffv1 -level 3 \
        ${4:+-chroma_sample_location $4} ${5:+-vf setfield=$5 -field_order tt}
    ok runnel render chroma.nut c%02d.png -y -q --frames 1 --pix-fmt rgb24
    convert c00.png -depth 8 -type TrueColor small.ppm
    play_at_first chroma.nut
    key 1
    [ "$2x$3" = 159x119 ] && times=3 || times=2 # so much larger is the window
    left=$((($2 * times - $2) / 2)) top=$((($3 * times - $3) / 2))
    expect_zoomed "$case, once" small 1 $left $top
    point 100 100
    xdo click --repeat 6 --delay 20 4
    # As soon as it fills the window the point under the mouse stays.
    case $2x$3 in
    160x120) expect_zoomed "$case, 8 times" small 8 -301 -301 ;;
    esac
done
SDL_RENDER_DRIVER=software

# Two fingers, as a touchpad tells them; and a screen with two pixels for each of the units that windows are
# measured in, as on Wayland and macOS.
cat >fingers.c <<'C'
static int pinched(SDL_Event *e)
{
    FILE *f = fopen("pinch", "r");
    float apart = 0;
    if (!f)
        return 0;
    if (fscanf(f, "%f", &apart) != 1)
        apart = 0;
    fclose(f);
    remove("pinch");
    *e = (SDL_Event){.mgesture = {.type = SDL_MULTIGESTURE, .numFingers = 2, .dDist = apart}};
    return 1;
}
int SDL_PollEvent(SDL_Event *e)
{
    return pinched(e) || REAL(SDL_PollEvent)(e);
}
int SDL_WaitEventTimeout(SDL_Event *e, int ms)
{
    return pinched(e) || REAL(SDL_WaitEventTimeout)(e, ms < 50 ? ms : 50);
}
void SDL_GetWindowSize(SDL_Window *window, int *w, int *h)
{
    REAL(SDL_GetWindowSize)(window, w, h);
    if (getenv("PIXELS") && w)
        *w /= 2;
    if (getenv("PIXELS") && h)
        *h /= 2;
}
C
begin "two fingers, and two pixels for a unit: about the pointer all the same"
behind fingers $(pkg-config --cflags --libs sdl2)
make_shots gray.pgm
play_at_first gray.pgm -f convolution=preset=sharpen
point 200 60
pinch() { echo "$1" >now.pinch && mv now.pinch pinch; }
pinch 0.25
expect_zoomed "apart" filtered 2 -200 -60
pinch 0.25
expect_zoomed "further" filtered 4 -601 -181
pinch -0.5
expect_zoomed "together" filtered 1 0 0
export PIXELS=2
play_at_first gray.pgm -f convolution=preset=sharpen
point 100 30
after 4 expect_zoomed "two pixels" filtered 4 $((-201 * 3)) $((-61 * 3))
unset PIXELS
plain

begin "moving a picture draws it again, and no more"
cat >uploads.c <<'C'
int SDL_UpdateTexture(SDL_Texture *t, const SDL_Rect *rect, const void *pixels, int pitch)
{
    FILE *f = fopen("uploads", "a");
    if (f && rect == NULL)
        fputc('.', f);
    if (f)
        fclose(f);
    return REAL(SDL_UpdateTexture)(t, rect, pixels, pitch);
}
C
behind uploads $(pkg-config --cflags --libs sdl2)
rm -f uploads
play_at_first large.pgm -f convolution=preset=sharpen
point 100 100
after 1 expect_zoomed "1:1" large 1 -100 -100
uploads=$(wc -c <uploads)
for i in 1 2 3; do drag 1 300 300 290 280; done
expect_zoomed "moved" large 1 -130 -160
key 3
expect_eq "uploads" "$(wc -c <uploads)" "$uploads"
plain
