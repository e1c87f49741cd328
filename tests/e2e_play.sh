#!/bin/sh
# The preview in its window, on a display of its own: keys go in through the X server, and what they
# did is read from the checksums of the pictures shown (--md5), from screenshots and from files.
. "$(dirname "$0")/lib.sh"

for tool in Xvfb xdotool import convert; do
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

Xvfb -displayfd 3 -screen 0 1280x1024x24 -nolisten tcp 3>display >/dev/null 2>&1 &
server=$!

wait_for 20 test -s display || { begin "a display"; complain "Xvfb does not start"; end; finish; }
display=:$(cat display)
export DISPLAY="$display" SDL_VIDEODRIVER=x11 SDL_RENDER_DRIVER=software SDL_AUDIODRIVER=dummy
unset WAYLAND_DISPLAY SDL_RENDER_VSYNC

# Leaks of libraries that are unloaded before the end have no name that could be told from ours.
stay=
if [ "${VARIANT:-}" = asan ]; then
    echo 'int dlclose(void *h); int dlclose(void *h) { (void)h; return 0; }' >stay.c
    ${CC:-cc} -shared -fPIC stay.c -o stay.so && stay=$scratch/stay.so
    export ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0"
fi

# ---- driving the player

xdo() { timeout 20 xdotool "$@"; }

input=/dev/null # of the player

window_is_there() {
    kill -0 $player 2>/dev/null || return 0
    [ -s hash ] || return 1
    window=$(xdo search --onlyvisible --pid $player 2>/dev/null | tail -n 1)
    [ -n "$window" ]
}

play() { # options: starts the player, waits for the first picture
    window=
    rm -f hash
    env LD_PRELOAD="$stay" "$RUNNEL" play --md5 "$@" >hash 2>err <"$input" &
    player=$!
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

ended() { ! kill -0 $player 2>/dev/null; }

closed() { # waits for the player's end; its status in $rc
    if ! wait_for 20 ended; then
        complain "the player does not end"
        kill -9 $player
    fi
    wait $player
    rc=$?
    player=0
    grep -q 'not released\|Sanitizer\|runtime error' err && complain "$(grep -m 3 'not released\|Sanitizer\|runtime error' err)"
}

quit() {
    key q
    closed
    expect_rc 0
}

frame() { tail -n 1 hash | cut -d' ' -f1; } # that is shown
last() { tail -n "${1:-1}" hash; }

quiet_now() { # nothing new was shown for a while
    before=$(wc -l <hash)
    sleep 0.25
    [ "$(wc -l <hash)" = "$before" ]
}
settle() { wait_for 20 quiet_now || complain "the picture does not settle"; }

is_frame() { [ "$(frame)" = "$1" ]; }
expect_frame() { # what, number
    wait_for 20 is_frame "$2" || complain "$1: frame $(frame), not $2"
}

# The chain as `w` writes it. Keys are taken in their order: all before are through then.
written() {
    rm -f runnel-*.chain
    key w
    wait_for 20 test -s runnel-0001.chain || complain "w wrote no file"
    grep -v '^#' runnel-0001.chain
}

pause() {
    key space
    written >/dev/null
    settle
}

pause_at_first() {
    pause
    key Home
    expect_frame Home 0
}

# What is on the screen is what render makes of that frame with the chain that w writes.
expect_as_rendered() { # input, options of the input
    chain=$(written)
    n=$(frame)
    in=$1
    shift
    run runnel render "$in" md5: "$@" -f @runnel-0001.chain --from "${n}f" --frames 1 -q
    expect_rc 0
    last "$(wc -l <out)" | cut -d' ' -f2- >got
    cut -d' ' -f2- out >want
    expect_same got want
}

tuned() { # keys, what w then writes
    key $1
    settle
    expect_eq "chain after $1" "$(written)" "$2"
}

# ---- screenshots

shot() { # name
    timeout 20 import -window "$window" -depth 8 "$1.ppm"
}

part() { # shot, WxH+X+Y
    convert "$1.ppm" -crop "$2" +repage -depth 8 rgb:- | sha256sum
}

expect_part() { # what, geometry, shot, shot, same or other
    same=other
    [ "$(part "$3" "$2")" = "$(part "$4" "$2")" ] && same=same
    expect_eq "$1 at $2" $same "$5"
}

clean() { # name: a screenshot after messages have gone
    sleep 2.3
    shot "$1"
}

clip=clip.mkv
ffmpeg -v error -y -f lavfi -i testsrc2=s=320x240:r=25:d=12 -f lavfi -i sine=440:r=44100:d=12 \
    -c:v ffv1 -g 12 -pix_fmt gray -c:a flac $clip
whole=320x240+0+0
upper=320x180+0+0 # no message reaches it

# ---- parameters

begin "Tab, Shift+Tab, Up, Down, +, -, Shift+Up, Shift+Down, r, R, x: chain and picture"
play $clip -f erosion=radius=2,convolution=preset=sharpen
pause
# shape, radius, iterations, border and planes of erosion; preset, div, bias of convolution
tuned "Tab Up" erosion=radius=3,convolution=preset=sharpen
expect_as_rendered $clip
tuned "Down Down" erosion,convolution=preset=sharpen
tuned "Down" erosion,convolution=preset=sharpen # stays in the range
tuned "shift+Up" erosion=radius=11,convolution=preset=sharpen
expect_as_rendered $clip
tuned "shift+Down plus plus minus" erosion=radius=2,convolution=preset=sharpen
tuned "r" erosion,convolution=preset=sharpen
tuned "Tab Up" erosion=iterations=2,convolution=preset=sharpen
tuned "shift+Tab Up" erosion=radius=2:iterations=2,convolution=preset=sharpen
tuned "shift+Tab shift+Tab Tab Up" erosion=shape=disk:radius=2:iterations=2,convolution=preset=sharpen
expect_as_rendered $clip
tuned "x" convolution=preset=sharpen
expect_as_rendered $clip
tuned "x" erosion=shape=disk:radius=2:iterations=2,convolution=preset=sharpen
tuned "R" erosion,convolution
expect_as_rendered $clip
quit
end

begin "keys that come at once add up, and the last picture is right"
play $clip -f erosion
pause
key --delay 0 Tab Up Up Up Up Up Up Up Up Up Up Up Up
settle
expect_eq chain "$(written)" erosion=radius=13
expect_as_rendered $clip
key --delay 0 period period period period
settle
n=$(frame)
key --delay 0 comma comma comma
expect_frame "four on, three back" $((n - 3))
expect_as_rendered $clip
quit
end

run runnel render $clip md5: -q -f erosion=radius=2
cp out plain.md5

# The frame that is shown when the key comes is filtered again at once: old, then new under one number.
begin "a key changes the picture at once: playing"
play $clip -f erosion=radius=2
sleep 0.6
key Tab Up
sleep 0.4
quit
sort -u hash | sort - plain.md5 | uniq -d >both
awk 'NR == FNR {ref[$1] = $3; next} {now = ref[$1] == $3
    if (old && !now && !changed) {changed = FNR; same = $1 == was}
    if (changed && now) back++
    old = now; was = $1} END {exit !(changed && same && !back)}' plain.md5 hash ||
    complain "no frame was shown before and after, or an old one after a new one"
end

begin "a key changes the picture at once: paused"
play $clip -f erosion=radius=2
pause
was=$(last) n=$(frame)
key Tab Up
wait_for 1 sh -c '[ "$(tail -n 1 hash)" != "'"$was"'" ]' || complain "no change in a second"
expect_frame "after the key" "$n"
quit
end

# ---- time

begin "Space, . and ,: exact frames"
play $clip
pause
n=$(frame)
sleep 0.4
expect_frame "paused" "$n"
run runnel render $clip md5: -q
sort out >all.md5
for step in "period 1" "period 2" "comma 1" "period 2" "comma 1" "comma 0"; do
    key ${step% *}
    expect_frame "$step" $((n + ${step#* }))
done
key Right
expect_frame "5 s on" $((n + 125))
key comma
expect_frame "before a frame that was sought" $((n + 124))
key space
sleep 0.5
pause
[ "$(frame)" -gt $((n + 126)) ] || complain "frame $(frame): Space does not go on"
quit
sort -u hash | comm -23 - all.md5 >strange
[ ! -s strange ] || complain "shown, but not in the input: $(head -n 2 strange)"
end

begin "Left, Right, Home; to the end and back"
play $clip
pause
n=$(frame)
key Right
expect_frame Right $((n + 125))
key Right Right
expect_frame "Right beyond the end" 299
key period
settle
expect_frame "a step at the end" 299
key Left
expect_frame Left 174
key Left Left
expect_frame "two at once" 0
key comma
settle
expect_frame "a step before the beginning" 0
key period Home
expect_frame Home 0
expect_as_rendered $clip
quit
end

begin "the frame before, where frames have no even distance"
ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=50:d=4 \
    -vf "select='not(mod(n,7))+lt(mod(n,50),4)',setpts='PTS+0.004*mod(N,4)/TB'" -vsync vfr \
    -c:v libx264 -pix_fmt yuv420p -bf 2 vfr.mkv
play vfr.mkv
pause
key Right
settle
grep ' 0 ' hash | tail -n 1 >back
for i in 1 2 3 4 5 6 7 8 9; do
    key comma
    settle
    grep ' 0 ' hash | tail -n 1 >>back
done
quit
# Frame numbers are estimates behind a seek in such a file, the pictures are not.
run runnel render vfr.mkv md5: -q
grep ' 0 ' out | cut -d' ' -f3 | tac >all
cut -d' ' -f3 back >got
grep -A 9 "$(head -n 1 got)" all >want
expect_same got want
end

begin "l: loop, and the last frame stays without it"
play $clip --from 11.6
expect_frame "the end" 9
sleep 0.3
expect_frame "the end" 9
key l
sleep 1
key l
expect_frame "the end again" 9
[ "$(cut -d' ' -f1 hash | grep -c '^9$')" -ge 2 ] || complain "no second round"
quit
end

# ---- what is drawn

begin "b, v, <, >, mouse: split view and bypass"
mkdir -p rgb
ffmpeg -v error -y -f lavfi -i testsrc2=s=320x240:r=25 -frames:v 3 -pix_fmt rgb24 rgb/%02d.png
ffmpeg -v error -y -f lavfi -i testsrc2=s=320x240:r=25 -frames:v 3 -pix_fmt gray gray%02d.png
split_stands_at() { # column: left of it the source, right of it the filtered picture, exactly
    sleep 0.3
    shot split
    for side in "source $(($1 - 2))x240+0+0" "filtered $((320 - $1 - 2))x240+$(($1 + 2))+0"; do
        expect_part "${side% *} side" "${side#* }" split "${side% *}" same
    done
    expect_part "the other side" "$(($1 - 2))x240+0+0" split filtered other
}
for stack in 'rgb/*.png' 'gray*.png'; do
    first=$(echo "$stack" | sed 's/\*/01/')
    run runnel render "$stack" f%02d.png -y -q -f convolution=preset=sharpen --frames 1
    expect_rc 0
    convert "$first" -depth 8 -type TrueColor source.ppm
    convert f00.png -depth 8 -type TrueColor filtered.ppm
    play "$stack" -f convolution=preset=sharpen
    pause_at_first
    clean plain
    expect_part "the filtered picture" $upper plain filtered same
    key b
    sleep 0.3
    shot bypass
    expect_part "bypass" $upper bypass source same
    key b v
    sleep 2.3 # until the words at the line are gone
    split_stands_at 160
    # The same from here on: once is enough.
    [ "$stack" = 'gray*.png' ] || {
        key less less less less less less less less less less
        split_stands_at 128
        key --delay 20 greater greater greater greater greater
        split_stands_at 144
        xdo mousemove --window "$window" 144 100 mousedown 1 mousemove --window "$window" 200 90 \
            mousemove --window "$window" 240 80 mouseup 1 mousemove --window "$window" 20 20
        split_stands_at 240
        xdo mousemove --window "$window" 80 80 click 1
        split_stands_at 80
    }
    key v
    sleep 0.3
    shot back
    expect_part "split view off" $whole back filtered same
    quit
done
end

begin "i, ?, messages: drawn, and gone again"
play 'rgb/*.png' -f convolution=preset=sharpen
pause_at_first
clean plain
key i
settle
shot times
key i
settle
shot back
expect_part "i" 80x60+0+0 times plain other
expect_part "i again" $whole back plain same
key question
settle
shot help
key question
settle
shot back
expect_part "?" 160x120+80+60 help plain other
expect_part "? again" $whole back plain same
key Tab
settle
shot message
expect_part "the parameter" 100x20+0+220 message plain other
expect_part "beside the parameter" $upper message plain same
clean back
expect_part "the parameter's end" $whole back plain same
quit
end

begin "f, Esc, double-click, resize: the picture keeps its shape between bars"
size() { xdo getwindowgeometry "$window" | sed -n 's/ *Geometry: //p'; }
is_size() { [ "$(size)" = "$1" ]; }
expect_size() { wait_for 10 is_size "$2" || complain "$1: $(size), not $2"; }
play 'rgb/*.png' -f convolution=preset=sharpen
pause_at_first
clean plain
expect_size "at first" 320x240
for toggle in "f Escape" "f f" "2 2"; do
    for half in ${toggle% *} ${toggle#* }; do
        if [ "$half" = 2 ]; then
            sleep 0.6
            xdo mousemove --window "$window" 100 100 click --repeat 2 --delay 60 1
        else
            key "$half"
        fi
        if [ -n "${big-}" ]; then
            expect_size "after $toggle" 320x240 && big=
        else
            expect_size "after $half" 1280x1024 && big=yes
        fi
    done
done
key Escape # leaves nothing
xdo windowsize "$window" 500 300
expect_size resized 500x300
sleep 0.5
shot resized
convert -size 500x300 xc:black black.ppm
expect_part "bar on the left" 48x300+0+0 resized black same
expect_part "bar on the right" 48x300+452+0 resized black same
expect_part "picture" 20x300+52+0 resized black other
xdo windowsize "$window" 320 240
expect_size "as before" 320x240
sleep 0.5
shot back
expect_part "the old size" $whole back plain same
quit
end

begin "s: the filtered frame, at full resolution, and nothing overwritten"
rm -f runnel-*.png
ffmpeg -v error -y -f lavfi -i testsrc2=s=1600x1200:r=25:d=0.4 -pix_fmt gray16le -c:v ffv1 deep.mkv
play deep.mkv -f erosion=radius=2
pause_at_first
key s s
wait_for 20 test -s runnel-0002.png || complain "s wrote no two files"
want=$(last | cut -d' ' -f3)
for i in 1 2; do
    expect_eq "picture $i" "$(ffmpeg -v error -i runnel-000$i.png -f rawvideo -pix_fmt gray16le - |
        md5sum | cut -d' ' -f1)" "$want"
done
quit
end

begin "9, 0, m: the sound"
# The driver 'disk' writes what would be heard.
loudness() { # seconds from, to: the highest sample
    ffmpeg -v error -f s16le -ar 44100 -ac "$channels" -i sound.raw -ss "$1" -to "$2" \
        -af astats=metadata=1:reset=0,ametadata=print:key=lavfi.astats.Overall.Max_level:file=- -f null - |
        sed -n 's/.*Max_level=//p' | tail -n 1 | cut -d. -f1
}
channels=1
heard() { # keys: the loudest of the last half second
    key $1
    sleep 1.4
    tail -c 44100 sound.raw | od -An -v -td2 -w2 | sort -n | tail -n 1 | tr -d ' '
}
SDL_AUDIODRIVER=disk SDL_DISKAUDIOFILE=sound.raw
export SDL_DISKAUDIOFILE
play $clip
full=$(heard i)
half=$(heard "9 9 9 9 9 9 9 9 9 9")
mute=$(heard m)
again=$(heard m)
more=$(heard "0 0 0 0 0")
quit
SDL_AUDIODRIVER=dummy
awk -v f="${full:-0}" -v h="${half:-0}" -v m="${mute:-1}" -v a="${again:-0}" -v p="${more:-0}" 'BEGIN {
    exit !(f > 1000 && h > 0.4 * f && h < 0.6 * f && m == 0 && a == h && p > 0.7 * f && p < 0.8 * f)
}' || complain "full $full, half $half, muted $mute, again $again, three quarters $more"
end

# ---- the same pixels as render

begin "ten chains: the frames on the screen are those of render"
mkdir -p deep
ffmpeg -v error -y -f lavfi -i testsrc2=s=96x64:r=25:d=4 -pix_fmt yuv420p -c:v ffv1 y8.mkv
ffmpeg -v error -y -f lavfi -i testsrc2=s=97x63:r=25:d=4 -pix_fmt yuv420p10le -c:v ffv1 y10.mkv
ffmpeg -v error -y -f lavfi -i testsrc2=s=96x64:r=25:d=4 -pix_fmt gbrp -c:v ffv1 rgb.mkv
ffmpeg -v error -y -f lavfi -i testsrc2=s=96x64:r=25:d=4 -pix_fmt gray16le -c:v ffv1 g16.mkv
ffmpeg -v error -y -f lavfi -i testsrc2=s=96x64:r=25 -frames:v 60 -pix_fmt rgb48be deep/%03d.png
while IFS='|' read -r in chain keys; do
    play "$in" -f "$chain"
    key $keys
    pause
    mark=$(wc -l <hash)
    key period period period
    settle
    written >chain
    run runnel render "$in" md5: -q -f @runnel-0001.chain
    expect_rc 0
    sort out >want
    tail -n +$((mark + 1)) hash | sort -u >got
    [ -s got ] || complain "$in: nothing was shown"
    [ -z "$(comm -23 got want)" ] || complain "$in, $chain: $(comm -23 got want | head -n 2)"
    quit
done <<END
y8.mkv|convolution=preset=sharpen|Up
y8.mkv|closing=shape=disk,stats|Tab Up Up
y8.mkv|format=gray,erosion|Tab shift+Up
y10.mkv|dilation=planes=7|Tab Up
y10.mkv|convolution=preset=gauss3,opening|x Tab
rgb.mkv|convolution=preset=outline:bias=20|Tab Tab Up
rgb.mkv|gray,convolution=preset=emboss|Up
g16.mkv|convolution=preset=laplacian|Tab Up
g16.mkv|erosion,dilation,erosion@third=radius=3|Tab Up x
deep/*.png|closing=radius=3:border=zero|R
END
end

begin "a filter across frames: every frame as render makes it, after changes, seeks and at both ends"
while IFS='|' read -r in chain keys; do
    play "$in" -f "$chain"
    pause
    key $keys
    settle
    mark=$(wc -l <hash)
    key period period comma
    settle
    key Right
    settle
    expect_frame "$chain, beyond the end" 99
    key comma comma period
    settle
    expect_frame "$chain, a step back from the end" 98
    key Home
    settle
    expect_frame "$chain, Home" 0
    key period period period comma
    settle
    expect_frame "$chain, steps" 2
    key space
    sleep 0.4
    pause
    written >chain
    run runnel render "$in" md5: -q -f @runnel-0001.chain
    expect_rc 0
    sort out >want
    tail -n +$((mark + 1)) hash | sort -u >got
    [ "$(wc -l <got)" -gt 8 ] || complain "$chain: hardly anything was shown"
    [ -z "$(comm -23 got want)" ] || complain "$in, $chain: $(comm -23 got want | head -n 2)"
    quit
done <<END
y8.mkv|erosion=slices=1|Tab Up
y8.mkv|convolution=preset=gauss3,closing=slices=1:radius=2,dilation=planes=2|Up
g16.mkv|closing=shape=disk:slices=2:border=zero,opening=slices=1:border=clamp,stats|Tab Up
END
end

begin "a filter across frames after a seek: the old picture is no neighbour"
run runnel render y8.mkv md5: -q -f dilation=slices=2
sort out >want
play y8.mkv -f dilation=slices=2
pause
key Right
expect_frame Right 99
key Home
expect_frame Home 0
settle
mark=$(wc -l <hash)
key Tab Up Down
settle
tail -n +$((mark + 1)) hash | tail -n 3 | sort >got
[ -s got ] || complain "nothing was filtered again"
[ -z "$(comm -23 got want)" ] || complain "$(comm -23 got want | head -n 2)"
quit
end

begin "a filter across frames on a pipe: a seek that is refused changes nothing"
"$RUNNEL" render y8.mkv pipe.y4m -y -q
input=pipe.y4m
play - -f dilation=slices=2 --untimed
input=/dev/null
key Right
wait_for 20 is_frame 99 || complain "stopped at frame $(frame)"
cut -d' ' -f1 hash | sort -nu | awk '{exit_if = NR - 1 != $1; if (exit_if) exit} END {exit exit_if}' ||
    complain "frames are missing"
quit
end

begin "a filter across frames is switched off and on"
play y8.mkv -f dilation=slices=2
pause
n=$(frame)
with=$(last 3)
key x
settle
without=$(last 3)
key x
settle
[ "$with" != "$without" ] || complain "switched off, the picture stays"
[ "$with" = "$(last 3)" ] || complain "switched on again, the picture is another: $with, $(last 3)"
expect_frame "switched off and on" "$n"
quit
end

begin "a pipe of y4m cannot seek, says so and loses nothing; a generator plays"
ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=3 -pix_fmt yuv420p pipe.y4m
mkfifo fifo
cat pipe.y4m >fifo &
input=fifo
play - -f erosion
input=/dev/null
key Left Home comma space
sleep 4
key q
closed
run runnel render pipe.y4m md5: -q -f erosion
sort out >want
sort -u hash >got
[ -z "$(comm -23 got want)" ] || complain "$(comm -23 got want | head -n 2)"
awk '$2 == 0 {if (NR > 1 && $1 > was + 1) gap++; was = $1} END {exit !(gap < 3)}' hash ||
    complain "frames are missing"
play lavfi:testsrc2=s=64x48:r=25 -f erosion
wait_for 10 sh -c '[ "$(tail -n 1 hash | cut -d" " -f1)" -gt 10 ]' || complain "the generator stands"
quit
end

# ---- record and replay

begin "--record, then render --replay: each frame as it was shown last"
rm -f tape
play $clip -f erosion=radius=2,convolution=preset=sharpen --record tape --untimed
pause
key Home
expect_frame Home 0
key Tab period Up period period x period Up Up period period
settle
n=$(frame)
key comma comma Down period
settle
key Right period R period period
settle
quit
cp hash shown
run runnel render $clip md5: -q --replay tape
expect_rc 0
# Those which were not shown after the pause are not compared: the same holds for them, unless dropped.
awk '{last[$1] = $3} END {for (n in last) print n, 0, last[n]}' shown | sort >got
sort out >want
expect_eq "differing frames" "$(comm -23 got want | wc -l)" 0
[ "$(wc -l <got)" -gt 8 ] || complain "only $(wc -l <got) frames were shown"
[ "$(wc -l <tape)" -gt 4 ] || complain "the tape has $(wc -l <tape) lines"
end

# ---- a kernel of one's own

begin "--kernel: good, bad, good again; its parameters are keys"
kernel() { printf '//@param gain 0 4 0.5 1\nfloat filter(IN) { return %s; }\n' "$1" >my.new && mv my.new my.cl; }
kernel 'gain * PIXEL(0, 0)'
play 'rgb/*.png' --kernel my.cl
pause_at_first
clean plain
one=$(last 3)
key Up
settle
two=$(last 3)
[ "$one" != "$two" ] || complain "the parameter does nothing"
key Down
settle
expect_eq "back" "$(last 3)" "$one"
kernel '255.0f - gain * PIXEL(0, 0)'
changed() { [ "$(last 3)" != "$one" ]; }
wait_for 20 changed || complain "the new kernel does not come"
three=$(last 3)
shot inverse
kernel '255.0f - gain * NOTHING_SUCH(0, 0)'
alert() {
    shot alert
    [ "$(part alert 200x60+60+90)" != "$(part inverse 200x60+60+90)" ]
}
wait_for 20 alert || complain "no error over the picture"
expect_eq "the picture under the error" "$(last 3)" "$three"
kernel 'gain * PIXEL(0, 0)'
back() { [ "$(last 3)" = "$one" ]; }
wait_for 20 back || complain "the first kernel does not come back"
shot again
expect_part "the first picture" $upper again plain same
expect_as_rendered 'rgb/*.png'
quit
end

# ---- ends

begin "no display: one line, status 1, at once"
for how in "-u DISPLAY -u SDL_VIDEODRIVER" "-u SDL_VIDEODRIVER DISPLAY=:4711"; do
    start=$(date +%s)
    run env $how "$RUNNEL" play $clip -f erosion
    expect_rc 1
    expect_one_line
    expect_message 'no display'
    [ $(($(date +%s) - start)) -lt $((patience / 6)) ] || complain "it took $(($(date +%s) - start)) s"
done
end

begin "Ctrl-C and SIGTERM while playing and paused, and while a pipe gives nothing"
for case in "INT 130 i" "INT 130 space" "TERM 143 f"; do
    set -- $case
    play $clip -f erosion
    key "$3"
    sleep 0.2
    kill -"$1" $player
    closed
    expect_rc "$2"
done
mkfifo silent
sleep 60 >silent &
sleeper=$!
env LD_PRELOAD="$stay" "$RUNNEL" play - <silent >hash 2>err &
player=$!
sleep 0.5
kill -INT $player
closed
kill $sleeper
expect_rc 130
end

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
closed
expect_rc 0
end

begin "1,000 random keys: no crash, nothing left behind"
rm -f runnel-*
play y8.mkv -f erosion,convolution=preset=sharpen,stats --loop --record random.tape
awk 'BEGIN {srand(3)
    n = split("Tab shift+Tab Up Down shift+Up shift+Down plus minus equal r R x b v less greater " \
        "space period comma Left Right Home l i 9 0 m f Escape question Tab Up v x period comma", k)
    for (i = 0; i < 1000; i++) print i % 100 == 50 ? "w" : i % 200 == 199 ? "s" : k[1 + int(n * rand())]
}' >keys
timeout $patience xdotool key --delay 4 $(cat keys)
wait_for 30 sh -c '! ls runnel-0011.chain 2>/dev/null; [ -e runnel-0010.chain ]' || complain "keys were lost"
key Escape
key --delay 20 q
closed
expect_rc 0
expect_eq "chains written" "$(ls runnel-*.chain | wc -l)" 10
expect_eq "pictures written" "$(ls runnel-*.png | wc -l)" 5
grep -v '^wrote\|: wrote' err | sed 's/^/# /' | head -n 5
run runnel render y8.mkv md5: -q --replay random.tape
expect_rc 0
end

finish
