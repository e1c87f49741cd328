#!/bin/sh
# The preview: what keys change in the chain and in time, records, and how it ends.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

clip=clip.mkv
make_long $clip 12

begin "Tab, Shift+Tab, Up, Down, +, -, Shift+Up, Shift+Down, r, R, x: chain and picture"
play_paused $clip -f erosion=radius=2,convolution=preset=sharpen
# shape, radius, iterations, border and planes of erosion; preset, div, bias of convolution
tuned "Tab Up" erosion=radius=3,convolution=preset=sharpen $clip
tuned "Down Down" erosion,convolution=preset=sharpen
tuned "Down" erosion,convolution=preset=sharpen # stays in the range
tuned "shift+Up" erosion=radius=11,convolution=preset=sharpen $clip
tuned "shift+Down plus plus minus" erosion=radius=2,convolution=preset=sharpen
tuned "r" erosion,convolution=preset=sharpen
tuned "Tab Up" erosion=iterations=2,convolution=preset=sharpen
tuned "shift+Tab Up" erosion=radius=2:iterations=2,convolution=preset=sharpen
tuned "shift+Tab shift+Tab Tab Up" erosion=shape=disk:radius=2:iterations=2,convolution=preset=sharpen $clip
tuned "x" erosion=shape=disk:radius=2:iterations=2:enable=0,convolution=preset=sharpen $clip
tuned "x" erosion=shape=disk:radius=2:iterations=2,convolution=preset=sharpen
tuned "R" erosion,convolution $clip

begin "enable=0: the preview starts with it off, x switches it on and off"
play_paused $clip -f erosion=radius=2:enable=0,convolution=preset=sharpen
tuned "i" erosion=radius=2:enable=0,convolution=preset=sharpen $clip
tuned "x" erosion=radius=2,convolution=preset=sharpen $clip
tuned "x" erosion=radius=2:enable=0,convolution=preset=sharpen

begin "u and U: one change back, and forth again; a new change ends that"
play_paused $clip -f erosion=radius=2,convolution=preset=sharpen
tuned "Tab Up Up x" erosion=radius=4:enable=0,convolution=preset=sharpen
tuned "u" erosion=radius=4,convolution=preset=sharpen $clip
tuned "u u" erosion=radius=2,convolution=preset=sharpen $clip
tuned "u" erosion=radius=2,convolution=preset=sharpen # there is no more
tuned "U" erosion=radius=3,convolution=preset=sharpen
tuned "Tab Tab Tab Tab Up" "erosion=radius=3,convolution=preset=emboss"
tuned "U" "erosion=radius=3,convolution=preset=emboss" # undone changes are gone
tuned "R" erosion,convolution
tuned "u" "erosion=radius=3,convolution=preset=emboss"
tuned "u u" erosion=radius=2,convolution=preset=sharpen $clip

begin "w: the chain, and of what, on which frame and by which version it was tuned"
play_paused $clip -f erosion=radius=2
n=$(frame)
tuned "Tab Up" erosion=radius=3
expect_eq input "$(sed -n 1p runnel-0001.chain)" "# tuned on $clip"
expect_eq frame "$(sed -n 's/^# at frame \([0-9]*\), [0-9.]* s$/\1/p' runnel-0001.chain)" "$n"
expect_eq version "$(sed -n 's/^# by //p' runnel-0001.chain)" "$("$started" --version | head -n 1)"
ok runnel render $clip md5: -q --frames 1 -f @runnel-0001.chain
tuned "u Down Down Down" erosion # a step at the end of a range is no change to undo
tuned "u" erosion=radius=2
was=$(last) n=$(frame)
key Up
wait_for 1 sh -c '[ "$(tail -n 1 hash)" != "'"$was"'" ]' || complain "no change in a second"
expect_frame "after the key" "$n"

begin "keys that come at once add up, and the last picture is right"
play $clip -f levels
pause_exactly
key --delay 0 Up Up Up Up Up Up Up Up Up Up Up Up
expect_eq chain "$(written)" levels=black=12
expect_as_rendered $clip
n=$(frame)
after "--delay 0 period period period period" expect_frame "four on" $((n + 4))
after "--delay 0 comma comma comma" expect_frame "four on, three back" $((n + 1))
expect_as_rendered $clip

into plain.md5 runnel render $clip md5: -q -f levels=black=20
sort plain.md5 >plain.sorted
shown() { # how many pictures, before the key and after it
    [ "$(sort -u hash | comm -12 - plain.sorted | wc -l)" -ge "$1" ] &&
        [ "$(sort -u hash | comm -23 - plain.sorted | wc -l)" -ge "$2" ]
}

# The frame that is shown when the key comes is filtered again at once: old, then new under one number.
begin "a key changes the picture at once, while it plays too"
play $clip -f levels=black=20
wait_for 20 shown 10 0 || complain "nothing is shown before the key"
# A seventeenth of the speed: a frame stays long enough to be filtered again before the next one.
press $(yes bracketleft | head -n 30)
after Up wait_for 20 shown 10 2 || complain "nothing is shown after the key"
quit
awk 'NR == FNR {ref[$1] = $3; next} {now = ref[$1] == $3
    if (old && !now && !changed) {changed = FNR; same = $1 == was}
    if (changed && now) back++
    old = now; was = $1} END {exit !(changed && same && !back)}' plain.md5 hash ||
    complain "no frame was shown before and after, or an old one after a new one"

begin "Space, . and ,: exact frames; Left, Right, Home: to the end and back"
play $clip
pause_exactly
n=$(frame)
sleep 0.4 # ten frames long
expect_frame "paused" "$n"
for step in "period 1" "period 2" "comma 1" "period 2" "comma 1" "comma 0"; do
    key ${step% *}
    expect_frame "$step" $((n + ${step#* }))
done
after Right expect_frame "5 s on" $((n + 125))
after comma expect_frame "before a frame that was sought" $((n + 124))
after space expect_beyond "Space goes on" $((n + 126))
pause
after "Right Right Right" expect_frame "Right beyond the end" 299
press period
expect_frame "a step at the end" 299
after Left expect_frame Left 174
after "Left Left" expect_frame "two at once" 0
press comma
expect_frame "a step before the beginning" 0
after "period Home" expect_frame Home 0
expect_as_rendered $clip
wants runnel render $clip md5: -q
expect_wanted 0

begin "the frame before, where frames have no even distance"
clip vfr.mkv lavfi:testsrc2=s=64x48:r=50:d=4 \
    -vf "select='not(mod(n,7))+lt(mod(n,50),4)',setpts='PTS+0.004*mod(N,4)/TB'" -vsync vfr -c:v libx264 \
    -pix_fmt yuv420p -bf 2
play_paused vfr.mkv
change Right
grep ' 0 ' hash | tail -n 1 >back
for i in 1 2 3 4 5 6 7 8 9; do
    change comma
    grep ' 0 ' hash | tail -n 1 >>back
done
quit
run runnel render vfr.mkv md5: -q
grep ' 0 ' out | tac >all
grep -A 9 "$(head -n 1 back)" all >want
expect_same back want

begin "l: loop, and the last frame stays without it"
ends_shown() { [ "$(cut -d' ' -f1 hash | grep -c '^299$')" -ge "$1" ]; }
play $clip --from 11.6
expect_frame "the end" 299
sleep 0.3 # seven frames long
expect_frame "the end" 299
after l wait_for 20 ends_shown 2 || complain "no second round"
after l expect_frame "the end again" 299

begin "--record, then render --replay: each frame as it was shown last"
rm -f tape
play_paused $clip -f erosion=radius=2,convolution=preset=sharpen --record tape --untimed
after Home expect_frame Home 0
press Tab period Up period period x period Up Up period period
n=$(frame)
press comma comma Down period
press Right period R period period
quit
ok runnel render $clip md5: -q --replay tape
# Those which were not shown after the pause are not compared: the same holds for them, unless dropped.
sort out >want
expect_last_wanted 9
[ "$(wc -l <tape)" -gt 4 ] || complain "the tape has $(wc -l <tape) lines"

begin "no display: one line, status 1, at once"
for how in "-u DISPLAY -u SDL_VIDEODRIVER" "-u SDL_VIDEODRIVER DISPLAY=:4711"; do
    start=$(date +%s)
    refuses 1 'no display' env $how "$started" play $clip -f erosion
    [ $(($(date +%s) - start)) -lt $((patience / 6)) ] || complain "it took $(($(date +%s) - start)) s"
done

begin "Ctrl-C and SIGTERM while playing and paused, and while a pipe gives nothing"
for case in "INT 130 i" "INT 130 space" "TERM 143 f"; do
    set -- $case
    play $clip -f erosion
    key "$3"
    written >/dev/null
    kill -"$1" $player
    closed "$2"
done
mkfifo silent
sleep 60 >silent &
sleeper=$!
env LD_PRELOAD="$stay" "$RUNNEL" play - <silent >hash 2>err &
player=$! caller=$!
# The shell starts what runs beside it with SIGINT ignored, which lasts until the player takes it.
waits_for_input() { takes_sigint $player && is_idle $player; }
wait_for $patience waits_for_input || complain "the player does not wait for its input"
kill -INT $player
closed
kill $sleeper
expect_rc 130

begin "the window closed by its frame: status 0"
cat >close.py <<'END'
import ctypes, sys
X = ctypes.CDLL("libX11.so.6")
X.XOpenDisplay.restype = ctypes.c_void_p
X.XInternAtom.restype = ctypes.c_ulong
X.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
X.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
X.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
class Message(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("kind", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("room", ctypes.c_long * 24)]
d = X.XOpenDisplay(None)
m = Message(type=33, window=int(sys.argv[1]), kind=X.XInternAtom(d, b"WM_PROTOCOLS", 0), format=32)
m.data[0] = X.XInternAtom(d, b"WM_DELETE_WINDOW", 0)
X.XSendEvent(d, m.window, 0, 0, ctypes.byref(m))
X.XSync(d, 0)
END
play $clip -f erosion
"${PYTHON:-python3}" close.py "$window" || complain "no message could be sent"
closed 0

# Threads wake the one that waits for events by a message to the window, which may have gone by the time
# that it arrives. The error is read when SDL closes its display.
begin "an X error that arrives as the last window has gone: status 0"
cat >late.c <<'END'
#include <SDL_syswm.h>
static Display *display;
void SDL_DestroyWindow(SDL_Window *window)
{
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    if (SDL_GetWindowWMInfo(window, &info))
        display = info.info.x11.display;
    REAL(SDL_DestroyWindow)(window);
}
void SDL_QuitSubSystem(Uint32 flags)
{
    void *x11 = dlopen("libX11.so.6", RTLD_LAZY);
    int (*late)(Display *, Window) = dlsym(x11, "XDestroyWindow");
    if (late && display && flags & SDL_INIT_VIDEO)
        late(display, 0x7fffff);
    dlclose(x11);
    REAL(SDL_QuitSubSystem)(flags);
}
END
behind late $(pkg-config --cflags --libs sdl2)
play $clip -f erosion --log-level debug
quit
grep -q 'X11: error 3 of request 4' err || complain "the error has not come"
plain
