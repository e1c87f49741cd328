#!/bin/sh
# The preview: what its user has tuned survives whatever ends it.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

clip=clip.mkv
make_long $clip 4

# The recording gives each frame as it was shown last. Those that were not shown are not compared: what
# was tuned last holds for them.
expect_replayed() { # recording, chain at the start
    grep -q '^{"chain":"'"$2"'"}$' "$1" || complain "$1 begins with $(head -n 1 "$1")"
    [ "$(tail -c 1 "$1" | od -An -c | tr -d ' ')" = '\n' ] || complain "$1 ends within a line"
    wants runnel render $clip md5: -q --replay "$1" --allow-writes
    expect_last_wanted 4
}

tune() { # tunes frames and goes back to some of them
    pause
    after Home expect_frame Home 0
    press Tab period Up period period x period Up Up period period
    press comma comma Down period
}
tuned_chain='erosion=radius=4:enable=0,convolution=preset=sharpen'

begin "--record survives SIGHUP, SIGTERM and kill -9"
for case in "HUP 129" "TERM 143" "KILL 137"; do
    rm -f tape
    play $clip -f erosion=radius=2,convolution=preset=sharpen --record tape
    tune
    kill -"${case% *}" $player
    closed "${case#* }"
    [ "${case% *}" = KILL ] || expect_message "^-f '$tuned_chain'\$"
    expect_replayed tape erosion=radius=2,convolution=preset=sharpen
    expect_only . $clip display err got hash out tape want
done

begin "--record: frames that are shown again have what they were shown with last, the others keep theirs"
rm -f tape
play $clip -f erosion --record tape --untimed
wait_for 20 is_frame 99 || complain "the end does not come"
key Home
pause
after Home expect_frame Home 0
press Tab Up period period period
press Right Up
quit
expect_replayed tape erosion
cut -d' ' -f3 want >all
run runnel render $clip md5: -q -f erosion
awk '$1 > 5 && $1 < 90 {print $1, $2, $3}' out | sort >plain
expect_in_want plain 84

begin "--record: an existing file stays until there is something to write; without -y it is refused"
echo old >old.tape
fails 4 'exists' runnel play $clip --record old.tape
fails 1 '' env -u DISPLAY -u SDL_VIDEODRIVER "$RUNNEL" play $clip --record old.tape -y
expect_eq "the old file" "$(cat old.tape)" old
play_paused $clip -f erosion --record old.tape -y
press Tab Up period period period
quit
expect_replayed old.tape erosion

begin "--record on a full disk: it stops, with whole lines, the preview goes on, status 4"
mkdir -p full
if mount -t tmpfs -o size=4k none full 2>/dev/null; then
    mounts=full
    play $clip -f erosion --record full/tape --loop --untimed
    tape_is_full() { # of two keys before the next picture only one change is recorded
        grep -q 'full/tape' err && return
        key Tab Up Down Up Down Up Down Up Down
        return 1
    }
    wait_for $patience tape_is_full || complain "the disk is not full"
    key Home
    written >/dev/null
    key q
    closed 4
    expect_one_line
    expect_file full/tape
    jq -c . full/tape >/dev/null || complain "a line is cut off"
    ok runnel render $clip md5: -q --replay full/tape
    umount full && mounts=
fi

begin "q tells the tuned chain, ready to paste; -q does not"
controls=$(printf '\302\233\233') # in UTF-8, and as one byte
echo "//@param gain 0 4 0.5 1
float filter(IN) { return gain * PIXEL(0, 0); }" >"it's$controls.cl"
for quiet in '' -q; do
    play $clip -f erosion,convolution=matrix="'0 0 0
0 1 0 0 0 0'" --kernel "it's$controls.cl" $quiet
    key Tab Up x
    quit
    grep '^-f' err >line
    expect_eq "lines with $quiet" "$(wc -l <line)" $([ "$quiet" ] && echo 0 || echo 1)
    [ "$quiet" ] || mv line pasted
done
LC_ALL=C grep -q '[^ -~]' pasted && complain "control characters: $(cat -v pasted)"
into want bash -c "\"\$started\" render $clip md5: -q --frames 2 $(cat pasted)"
prints want runnel render $clip md5: -q --frames 2 \
    -f "erosion=radius=2:enable=0,convolution=matrix='0 0 0 0 1 0 0 0 0',custom=it\\\\\\'s$controls.cl"

begin "q: an emptied chain is a line, too, that gives the picture; nothing is told of one that never was"
for keys in '' 'n invert Return Delete'; do
    play_paused $clip
    for k in $keys; do
        [ "$k" = invert ] && xdo type --delay 8 invert || key "$k"
    done
    expect_eq "the chain" "$(written)" ""
    quit
    expect_eq "the line after '$keys'" "$(grep '^-' err)" "${keys:+-f ''}"
done
play_paused $clip -f erosion,median
key a Delete Delete
expect_eq "the chain" "$(written)" ""
quit
line=$(grep '^-' err)
eval "run runnel render $clip md5: -q $line --frames 3"
expect_rc 0
cp out got
prints got runnel render $clip md5: -q --from "$(echo "$line" | grep -o '[0-9]*f$')" --frames 3

begin "q with --versus: both chains in a line where both were tuned, -f alone where only that was"
play_paused $clip -f erosion --versus median
press Tab Up
quit
expect_eq "the line" "$(grep '^-' err)" "-f 'erosion=radius=2'"
play_paused $clip -f erosion --versus median
press Tab Up X Up a
quit
expect_eq "lines" "$(grep -c '^-' err)" 1
grep -q "^-f 'erosion=radius=2' --versus 'median=radius=2' --from [0-9]*f\$" err || complain "the line: $(grep '^-' err)"
play_paused $clip -f erosion --versus median
press X Delete
quit
expect_eq "the emptied one" "$(grep '^-' err)" "-f 'erosion' --versus ''"
play_paused $clip -f erosion --versus '' # beside the input
key X n i n v e r t Return
expect_eq "the other one" "$(written)" invert
quit
expect_eq "the line" "$(grep '^-' err)" "-f 'erosion' --versus 'invert'"

begin "the X server dies: one line, the recording and the chain are there, nothing else stays, status 1"
kept_display=$DISPLAY
for state in playing paused; do
    Xvfb -displayfd 3 -screen 0 1280x1024x24 -nolisten tcp -noreset 3>second >/dev/null 2>&1 &
    second=$!
    wait_for 20 test -s second || complain "Xvfb does not start"
    DISPLAY=:$(cat second)
    rm -f tape* runnel-* table.csv
    play $clip -f erosion=radius=2,convolution=preset=sharpen,stats=file=table.csv --record tape --loop
    tune
    [ $state = paused ] || key space
    kill -9 $second
    closed 1
    DISPLAY=$kept_display
    expect_one_line
    expect_message 'the display has gone'
    grep -q "^-f 'erosion=radius=4:enable=0,convolution=preset=sharpen,stats=file=table.csv'\$" err ||
        complain "the chain: $(grep -e '-f' err)"
    expect_file table.partial.csv
    expect_replayed tape erosion=radius=2,convolution=preset=sharpen,stats=file=table.csv
    rm table.csv
    [ -z "$(find . -name '.*.*' -type f)" ] || complain "left: $(find . -name '.*.*' -type f)"
    rm -f second *.partial*
done
