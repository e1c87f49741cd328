# SPDX-License-Identifier: MIT
# What the tests of the preview share: it runs in its window, on a display of its own. Keys go in through
# the X server, and what they did is read from the checksums of the pictures shown (--md5), from
# screenshots and from files.
#
# A player that no test has ended or quit ends, with status 0, where the next one starts or the test ends.
#
# Nothing here waits for a time to pass where it can wait for what has to happen: the tests run beside
# others. The player tells when all is done that it was sent, see settle.
# shellcheck shell=sh

for tool in Xvfb xdotool convert compare; do
    command -v $tool >/dev/null || { skip "$tool is missing"; finish; }
done

server=0 player=0 display=
stop_all() {
    for p in $player $server; do
        if [ "$p" != 0 ]; then kill -9 "$p" 2>/dev/null; fi
    done
    cleanup
}
trap stop_all EXIT

# Without -noreset the server starts anew when its last client goes, and refuses those who come then.
Xvfb -displayfd 3 -screen 0 1280x1024x24 -nolisten tcp -noreset 3>display >/dev/null 2>&1 &
server=$!

wait_for 20 test -s display || { begin "a display"; complain "Xvfb does not start"; finish; }
display=:$(cat display)
export DISPLAY="$display" SDL_VIDEODRIVER=x11 SDL_RENDER_DRIVER=software SDL_AUDIODRIVER=dummy
unset WAYLAND_DISPLAY SDL_RENDER_VSYNC

# Hints for whoever is new are over.
mkdir -p "$XDG_STATE_HOME/runnel"
echo 3 >"$XDG_STATE_HOME/runnel/hints"

# What the player tells with, see settle.c.
: "${BUILD:=$root/build/release}"
plain() { stay=$BUILD/tests/settle.so; } # players start behind that alone
plain
export SETTLE="$scratch/settle"
[ -e "$stay" ] || { begin "settle.so"; complain "$stay is missing: make test-build"; finish; }
if [ "${VARIANT:-}" = asan ]; then export ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0"; fi

# ---- driving the player

# One process does all that has no answer, and naps; that it prints the screen's size says that it is done.
mkfifo hand.in hand.out
stdbuf -oL xdotool - <hand.in >hand.out 2>/dev/null &
exec 7>hand.in 4<hand.out
rm hand.in hand.out
hand=yes
by_hand() { # a line of xdotool's
    [ $hand = yes ] && [ "$DISPLAY" = "$display" ] || return
    echo "sleep 0.005 $* getdisplaygeometry" >&7 # as long as another process would take to begin
    read -r _ <&4 || hand=no # an error of the X server ends it
}
xdo() {
    case $1 in
    key | keydown | keyup | click | mousemove | mousedown | mouseup | windowfocus) ! by_hand "$@" || return 0 ;;
    esac
    timeout 20 xdotool "$@"
}
nap() { by_hand sleep "$1" || sleep "$1"; }

behind() { # NAME, compiler flags: until `plain`, players start behind the library of NAME.c, too
    make_preload "$@" || complain "cc cannot make the library"
    stay="$stay $scratch/$1.so"
}

input=/dev/null # of the player

window_is_there() {
    kill -0 $player 2>/dev/null || return 0
    [ "${alone-}" ] || [ -s hash ] || return 1
    window=$(xdo search --onlyvisible --pid $player 2>/dev/null | tail -n 1)
    [ -n "$window" ]
}

# The player is in $player, who waits for it in $caller: with nothing else preloaded, the player is prestarted.
start() { # options
    leave
    rm -f hash "$scratch-pid"
    if [ "$stay" = "$BUILD/tests/settle.so" ] && [ "${PRESTARTED_RUNNEL-}" ]; then
        PRESTARTED_PID=$scratch-pid PRESTARTED_PRELOAD=$stay "$PRESTARTED_RUNNEL" play "$@" >hash 2>err <"$input" &
        caller=$!
        wait_for 20 test -s "$scratch-pid" || complain "no player was started"
        read -r player <"$scratch-pid"
    else
        LD_PRELOAD=$stay "$RUNNEL" play "$@" >hash 2>err <"$input" &
        player=$! caller=$!
    fi
}

play() { # options: starts the player, waits for the first picture
    window=
    start --md5 "$@"
    wait_for $patience window_is_there
    if [ -z "$window" ]; then
        complain "no window: runnel play $*"
        sed 's/^/#   stderr: /' err | tail -n 4
        window=0
        return
    fi
    xdo windowfocus "$window"
}

key() { xdo key --delay 8 "$@"; }

make_deep() { # slices: deep.tif, a stack of 16 bits, and in0.npy
    "$PYTHON" - "$1" <<'PY'
import sys, numpy as np, tifffile
v = np.random.default_rng(3).integers(0, 65536, (int(sys.argv[1]), 240, 320), np.uint16)
tifffile.imwrite("deep.tif", v, photometric="minisblack")
np.save("in0.npy", v)
PY
}

after() { # keys, expectation...
    key $1
    shift
    "$@"
}

ended() { ! kill -0 $player 2>/dev/null; }

closed() { # waits for the player's end; its status in $rc, and expected if one is given
    if ! wait_for 20 ended; then
        complain "the player does not end"
        kill -9 $player
    fi
    wait $caller
    rc=$?
    player=0
    [ $# = 0 ] || expect_rc "$1"
    grep -q 'not released\|Sanitizer\|runtime error' err && complain "$(grep -m 3 'not released\|Sanitizer\|runtime error' err)"
}

quit() {
    key q
    closed 0
}
leave() { [ "$player" = 0 ] || quit; }

# ---- what is shown

frame() { tail -n 1 hash | cut -d' ' -f1; } # that is shown
last() { tail -n "${1:-1}" hash; }

is_frame() { [ "$(frame)" = "$1" ]; }
expect_frame() { # what, number
    wait_for 20 is_frame "$2" || complain "$1: frame $(frame), not $2"
}

beyond() { [ "$(frame)" -gt "$1" ]; }
expect_beyond() { # what, number
    wait_for 20 beyond "$2" || complain "$1: frame $(frame), not beyond $2"
}

type_in() { xdo type --delay 8 "$1"; }

is_title() { [ "$(xdo getwindowname "$window")" = "$1" ]; }
expect_title() { wait_for $patience is_title "$1" || complain "the title is '$(xdo getwindowname "$window")', not '$1'"; }

script() { # Python, with `player` connected
    { echo 'from ipc import *; player = Player()'; cat; } >script.py
    timeout -k 5 $patience "$PYTHON" script.py >out 2>err2 </dev/null || complain "$(tail -n 3 err2 | tr '\n' ' ')"
}

# The chain as `w` writes it. Keys are taken in their order: all before are through then.
write=w # or the place of that key
written() {
    rm -f runnel-*.chain
    key $write
    wait_for 20 test -s runnel-0001.chain || complain "w wrote no file"
    grep -v '^#' runnel-0001.chain
}

is_written() { [ "$(written)" = "$1" ]; }
expect_written() { # chain, sooner or later
    wait_for $patience is_written "$1" || complain "the chain is '$(written)', not '$1'"
}

# For the next frame of a clip, its device, its compiler or its reader the player waits less, in ms.
idle=41
settled() { [ ! -e "$SETTLE" ]; }
# The player, which is paused or at the end, has done all that it was sent: what it shows is on the screen
# and in `hash`, and no other picture comes by itself.
settle() {
    echo $idle >"$SETTLE"
    wait_for 20 settled || complain "the player does not settle"
}

more_lines() { [ "$(wc -l <hash)" -gt "$lines" ]; }
change() { # keys that change the picture: until it came
    lines=$(wc -l <hash)
    key "$@"
    wait_for 20 more_lines || complain "no new picture after $*"
    settle
}

pause() { press space; }

# From there on no frame is left out. Of those before one may be that came too late.
pause_exactly() {
    pause
    press period
}

pause_at_first() { # also of a stack, which begins paused
    press period Home
    expect_frame Home 0
}

play_paused() {
    play "$@"
    pause
}

play_at_first() {
    play "$@"
    pause_at_first
}

press() { # keys: until all is done that they ask for
    key "$@"
    settle
}

# What is on the screen is what render makes of that frame with the chain that w writes.
is_shown() {
    last "$(wc -l <want)" >got
    cmp -s got want
}
expect_as_rendered() { # input, options of the input
    written >/dev/null
    settle
    n=$(frame)
    in=$1
    shift
    into want runnel render "$in" md5: "$@" -f @runnel-0001.chain --allow-code --from "${n}f" --frames 1 -q
    wait_for 20 is_shown || expect_same got want
}

wants() { # command...: status 0, and what it prints, sorted, in the file `want`
    ok "$@"
    sort out >want
}
expect_in_want() { # file, at least how many lines: all of them are in the file `want`
    [ "$(wc -l <"$1")" -ge "$2" ] || complain "only $(wc -l <"$1") pictures were shown"
    [ -z "$(comm -23 "$1" want)" ] || complain "$(comm -23 "$1" want | head -n 2)"
}
expect_wanted() { # line: all that was shown from there on, at least ${2:-1} pictures, is in the file `want`
    tail -n +$(($1 + 1)) hash | sort -u >got
    expect_in_want got "${2:-1}"
}
expect_last_wanted() { # at least how many frames: as each was shown last it is in the file `want`
    awk '{last[$1 " " $2] = $3} END {for (n in last) print n, last[n]}' hash | sort >got
    expect_in_want got "$1"
}

tuned() { # keys, what w then writes; and the input that is then shown through it, with its options
    key $1
    expect_eq "chain after $1" "$(written)" "$2"
    shift 2
    [ $# = 0 ] || expect_as_rendered "$@"
}

# ---- what is dropped onto the window: SDL's events, as if the desktop had sent them

make_drop() { # for all that is played from now on; fails where there is no compiler
    cat >drop.c <<'C'
int SDL_WaitEventTimeout(SDL_Event *event, int timeout)
{
    FILE *f = fopen("drop", "r");
    char line[1024];
    SDL_Event e = {.type = SDL_DROPBEGIN};
    if (f)
        SDL_PushEvent(&e);
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        e.drop.type = SDL_DROPFILE;
        e.drop.file = SDL_strdup(line);
        SDL_PushEvent(&e);
    }
    if (f) {
        fclose(f);
        remove("drop");
    }
    return REAL(SDL_WaitEventTimeout)(event, timeout);
}
C
    make_preload drop $(pkg-config --cflags sdl2) && stay="$stay $scratch/drop.so"
}
drop() { printf '%s\n' "$@" >dropping && mv dropping drop; }

# ---- a compiler that takes as long as there is a file `hold`, and says that it waits in `waits`; no buffers
# while there is a file `full`; and nothing is read while there is one `stuck`

make_slow() { # for all that is played from now on; fails where there is no compiler
    cat >slow.c <<'C'
static void hold_on(void)
{
    while (!access("hold", F_OK)) {
        close(open("waits", O_CREAT | O_WRONLY, 0600));
        usleep(2000);
    }
}
cl_program clCreateProgramWithSource(cl_context c, cl_uint n, const char **t, const size_t *l, cl_int *e)
{
    hold_on();
    return REAL(clCreateProgramWithSource)(c, n, t, l, e);
}
cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o,
                      void (*f)(cl_program, void *), void *u)
{
    hold_on();
    return REAL(clBuildProgram)(p, n, d, o, f, u);
}
int av_read_frame(void *format, void *packet)
{
    while (!access("stuck", F_OK))
        usleep(2000);
    return REAL(av_read_frame)(format, packet);
}
cl_mem clCreateBuffer(cl_context c, cl_mem_flags f, size_t n, void *h, cl_int *code)
{
    if (!access("full", F_OK)) {
        *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
        return 0;
    }
    return REAL(clCreateBuffer)(c, f, n, h, code);
}
C
    make_preload slow -lavformat && stay="$stay $scratch/slow.so"
}
# Meanwhile the player asks for what is built every 10 ms.
hold() { rm -f waits && touch hold && idle=9; }
let_go() { rm -f hold && idle=41; }
expect_building() { wait_for $patience test -e waits || complain "nothing is built"; }

opened() { # options: starts the player, waits for the window alone
    alone=yes
    play "$@"
    alone=
}

# ---- screenshots

whole=320x240+0+0
upper=320x180+0+0 # no message reaches it

mkfifo screen.in screen.out
python3 "$root/tests/screen.py" <screen.in >screen.out &
exec 5>screen.in 6<screen.out
rm screen.in screen.out
ask() { # as screen.py, whose answer comes to stdout
    echo "$*" >&5
    read -r answer <&6 || answer="no answer"
    echo "$answer"
}

shot() { ask take "$window" "$1" >/dev/null; } # name
compared() { ask compare "$@"; } # WxH+X+Y, shot, shot: same or other

expect_part() { # what, geometry, shot, shot, same or other
    expect_eq "$1 at $2" "$(compared "$2" "$3" "$4")" "$5"
}

# Sooner or later a judge of screen.py has nothing against the screen. What was seen stays in the shot `now`.
expect_screen() { # what, judge, words
    what=$1
    shift
    verdict=$(ask wait "$window" "$@")
    [ "$verdict" = yes ] || complain "$what, $*: $verdict"
}
expect_seen() { expect_screen "$1" "$4" "$2" "$3"; } # what, geometry, shot, same or other

size() { xdo getwindowgeometry "$window" | sed -n 's/ *Geometry: //p'; }
is_size() { [ "$(size)" = "$1" ]; }
expect_size() { wait_for 10 is_size "$2" || complain "$1: $(size), not $2"; } # what, WxH

point() { xdo mousemove --window "$window" "$1" "$2"; }
wheel() { xdo click --repeat "$2" --delay 8 "$([ "$1" = down ] && echo 5 || echo 4)"; } # up or down, notches
drag() { # button, from x, y, to x, y
    xdo mousemove --window "$window" "$2" "$3" mousedown "$1" mousemove --window "$window" $((($2 + $4) / 2)) "$5" \
        mousemove --window "$window" "$4" "$5" mouseup "$1"
}
go() { # place, as it is typed
    key g
    xdo type --delay 8 -- "$1"
    key Return
}
clipboard() { timeout 10 xclip -o -selection clipboard 2>/dev/null; }

# source.ppm, and filtered.ppm: what is to be seen of its first frame behind convolution=preset=sharpen.
make_shots() { # pictures
    ok runnel render "$1" f%02d.png -y -q -f convolution=preset=sharpen --frames 1
    convert "$(echo "$1" | sed 's/\*/01/')" -depth 8 -type TrueColor source.ppm
    convert f00.png -depth 8 -type TrueColor filtered.ppm
}

# ---- clips

make_long() { # name, seconds: gray, with sound; 25 frames a second
    clip "$1" lavfi:testsrc2=s=320x240:r=25:d="$2" lavfi:sine=440:r=44100:d="$2" -c:v ffv1 -g 12 -pix_fmt gray -c:a flac
}

make_tiny() { # name, pixel format, size: 100 frames
    clip "$1" lavfi:testsrc2=s="${3:-96x64}":r=25:d=4 -pix_fmt "$2" -c:v ffv1
}

# ---- scans, and what they are in NumPy

make_signed() { # signed.nii and in0.npy: two slices of 320x240; 0.5 * sample - 1024
    "$PYTHON" - <<'PY'
import nibabel, numpy as np
signed = np.random.default_rng(4).integers(-2000, 3000, (2, 240, 320), np.int16)
image = nibabel.Nifti1Image(signed.T, np.diag([-1, -1, 1, 1]))
image.header.set_slope_inter(0.5, -1024)
nibabel.save(image, "signed.nii")
np.save("in0.npy", signed)
PY
}

filtered() { # input, chain: out0.npy, of the shape of in0.npy
    ok runnel render "$1" out.npy -y -q -f "$2"
    "$PYTHON" -c "import numpy as np; np.save('out0.npy', np.load('out.npy').reshape(np.load('in0.npy').shape))"
}

# ---- at random

random_keys() { # how many, seed, chain, options; every 100th writes the chain, every 200th a picture
    keys=$1 seed=$2 chain=${3:-erosion,convolution=preset=sharpen,stats}
    shift $(($# > 3 ? 3 : $#))
    rm -f runnel-* random.tape
    case $chain in
    *slices*) play y8.mkv -f "$chain" --loop "$@" ;; # has no recording
    *) play y8.mkv -f "$chain" --loop --record random.tape "$@" ;;
    esac
    awk -v n="$keys" -v seed="$seed" 'BEGIN {srand(seed)
        m = split("Tab shift+Tab Up Down shift+Up shift+Down plus minus equal r R x b v shift+Left shift+Right " \
            "space period comma Left Right Home l i 9 0 m f Escape Tab Up v x period comma", k)
        for (i = 0; i < n; i++) print i % 100 == 50 ? "w" : i % 200 == 199 ? "s" : k[1 + int(m * rand())]
    }' >keys
    timeout $patience xdotool key --delay 4 $(cat keys)
    chains=$((keys / 100)) pictures=$((keys / 200))
    all_written() { [ "$(ls runnel-*.chain 2>/dev/null | wc -l)" = $chains ]; }
    wait_for 30 all_written || complain "keys were lost"
    key Escape
    key --delay 20 q
    closed 0
    expect_eq "chains written" "$(ls runnel-*.chain | wc -l)" $chains
    expect_eq "pictures written" "$(ls runnel-*.png | wc -l)" $pictures
    grep -v '^wrote\|: wrote' err | sed 's/^/# /' | head -n 5
    [ -s random.tape ] || return 0
    ok runnel render y8.mkv md5: -q --replay random.tape
    [ "${1-}" = --untimed ] || return 0 # or those that were dropped have what was tuned at the time
    awk '{last[$1] = last[$1] $0 "\n"; if ($1 != was || $2 == 0) last[$1] = $0 "\n"; was = $1}
        END {for (n in last) printf "%s", last[n]}' hash | sort >got
    sort out >want
    expect_eq "frames that the recording has otherwise" "$(comm -23 got want | wc -l)" 0
}

# All that changes settings, and what else has to do with it.
random_actions() { # how many, seed
    awk -v n="$1" -v seed="$2" 'BEGIN {srand(seed)
        m = split("Tab Tab shift+Tab Up Up Up Down Down shift+Up shift+Down plus minus r R x u u U " \
            "Next Prior S N Delete shift+Next shift+Prior F1 F2 F3 F4 shift+F1 shift+F2 shift+F3 shift+F4 F5 F5 F6", k)
        for (i = 0; i < n; i++) print k[1 + int(m * rand())]}'
}

# After every 20 actions the chain that `w` writes gives the picture on the screen; after as many
# steps back it is the first one.
random_session() { # how many actions, seed, input, chain
    play_at_first "$3" -f "$4"
    chain=$(written) first=$(last "$(sort -k1n -k2nr hash | awk 'NR == 1 {print $2 + 1}')")
    random_actions "$1" "$2" >keys
    for at in $(seq 1 20 "$1"); do
        key $(sed -n "$at,$((at + 19))p" keys)
        written >/dev/null
        settle
        ok runnel render "$3" md5: -q -f @runnel-0001.chain
        grep "^$(frame) " out >want
        wait_for 20 is_shown || expect_same got want
    done
    key $(sed 's/.*/u/' keys)
    expect_eq "the chain, all undone" "$(written)" "$chain"
    settle
    echo "$first" >want
    wait_for 20 is_shown || expect_same got want
    quit
}

# Each action by itself, undone at once, leads back to the first picture.
undone_at_once() { # how many actions, seed, input, chain
    play_at_first "$3" -f "$4"
    chain=$(written) first=$(last 1)
    random_actions "$1" "$2" | sed 's/$/ u/' | xargs -n 50 echo >keys
    while read -r line; do
        key $line
        expect_eq "the chain, undone" "$(written)" "$chain"
        settle
        expect_eq "the picture, undone" "$(last 1)" "$first"
    done <keys
    quit
}
