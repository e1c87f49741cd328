#!/bin/sh
# The preview: what was tuned is kept while it is tuned, and can be taken again.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

clip=clip.mkv
make_long $clip 4
folder=$XDG_STATE_HOME/runnel

kept() { # its number: the file of the clip, or a former one
    for f in "$folder"/*.chain${1:+.$1}; do
        [ -f "$f" ] && echo "$f" && return
    done
    echo "$folder/none"
}
chain_of() { grep -v '^#' "$1" 2>/dev/null; }
is_kept() { [ "$(chain_of "$(kept)")" = "$1" ]; }
expect_kept() { # chain
    wait_for 20 is_kept "$1" || complain "kept is '$(chain_of "$(kept)")', not '$1'"
}
expect_none() { expect_eq "files that are kept" "$(ls "$folder" 2>/dev/null | grep -vc hints)" 0; }
anew() { rm -rf "$XDG_STATE_HOME"; }
offers() { grep -c 'a chain tuned on this input is kept' err; }

begin "kill -9: what was tuned is there, and -f @FILE gives the picture"
play_paused $clip -f erosion=radius=2,convolution=preset=sharpen
change Tab Up Up
expect_kept erosion=radius=4,convolution=preset=sharpen
change x
expect_kept erosion=radius=4:enable=0,convolution=preset=sharpen
shown=$(last) n=$(frame)
kill -9 $player
closed 137
expect_only "$folder" "$(basename "$(kept)")" hints
grep -q "^# tuned on $scratch/$clip\$" "$(kept)" || complain "the input: $(head -n 1 "$(kept)")"
grep -q "^# in $scratch\$" "$(kept)" || complain "the folder is not told"
grep -q '^# on 2[0-9-]* [0-9:]* [+-]....$' "$(kept)" || complain "the date is not told"
ok runnel render $clip md5: -q -f "@$(kept)" --from "${n}f" --frames 1
expect_eq "the picture" "$(cat out)" "$shown"

begin "the same input again: F7 takes what was tuned, u leaves it; looking at it changes nothing"
cp -p "$(kept)" before
ln -s $clip link.mkv
play_paused ./link.mkv -f erosion=radius=2,convolution=preset=sharpen
expect_eq offers "$(offers)" 1
grep -q -- "F7 takes it, or -f @$(kept)\$" err || complain "the file is not named"
plain=$(last)
change F7
expect_eq "the chain" "$(written)" erosion=radius=4:enable=0,convolution=preset=sharpen
expect_as_rendered $clip
change u
expect_eq "the picture without it" "$(last)" "$plain"
tuned "U" erosion=radius=4:enable=0,convolution=preset=sharpen
quit
expect_same "$(kept)" before
[ ! "$(kept)" -nt before ] || complain "it was written again"
expect_only "$folder" "$(basename "$(kept)")" hints

begin "without -f, and with other filters: F7 takes the filters too"
for chain in '' median; do
    play_paused $clip ${chain:+-f $chain}
    expect_eq offers "$(offers)" 1
    tuned F7 erosion=radius=4:enable=0,convolution=preset=sharpen $clip
    tuned u "$chain"
    quit
done
expect_same "$(kept)" before

begin "-f @FILE: there is nothing else to take"
play_paused $clip -f "@$(kept)"
expect_eq offers "$(offers)" 0
tuned F7 erosion=radius=4:enable=0,convolution=preset=sharpen
play $clip -f "@$(kept)" -q
quit
expect_eq "lines with -q" "$(wc -l <err)" 0

begin "tuned anew, the former file is kept; undone wholly, it is in its place again"
play_paused $clip -f dilation
change Tab Up
expect_kept dilation=radius=2
expect_same "$(kept 1)" before
grep -q "is '$(kept 1)' now" err || complain "where it is now is not told"
play_paused $clip -f dilation
change Tab Up Up Up
expect_kept dilation=radius=4
expect_eq "the one before" "$(chain_of "$(kept 1)")" dilation=radius=2
expect_same "$(kept 2)" before
key u u u
quit
expect_kept dilation=radius=2
expect_same "$(kept 1)" before

begin "undone wholly, or tuned back to the start: nothing is kept nor offered"
for keys in "u u" "Down Down" "r"; do
    anew
    play_paused $clip -f erosion
    change Tab Up Up
    expect_kept erosion=radius=3
    key $keys
    quit
    expect_none
    play_paused $clip -f erosion
    quit
    expect_eq offers "$(offers)" 0
done

begin "what is tuned is kept at Ctrl-C, too, and where the last change was just now"
anew
play_paused $clip -f erosion
key Tab Up Up Up Up Up
written >/dev/null
kill -INT $player
closed 130
is_kept erosion=radius=6 || complain "kept is '$(chain_of "$(kept)")'"

begin "a generator is found again by its text; what comes through a pipe is not"
anew
play lavfi:testsrc2=s=64x48:r=25 -f erosion
after "Tab Up" expect_kept erosion=radius=2
play lavfi:testsrc2=s=64x48:r=25 -f erosion
quit
expect_eq offers "$(offers)" 1
anew
"$started" render $clip pipe.y4m -y -q
mkfifo fifo
for from in - fifo; do
    cat pipe.y4m >fifo &
    [ $from = fifo ] || input=fifo
    play $from -f erosion
    input=/dev/null
    key Tab Up
    expect_eq "the chain" "$(written)" erosion=radius=2
    quit
done
expect_none

begin "what cannot be kept is one warning, and the preview goes on"
for where in XDG_STATE_HOME=/dev/null "XDG_STATE_HOME= HOME=/dev/null" "-u XDG_STATE_HOME -u HOME"; do
    window=
    rm -f hash
    env $where LD_PRELOAD="$stay" "$RUNNEL" play --md5 $clip -f erosion >hash 2>err &
    player=$! caller=$!
    wait_for $patience window_is_there
    xdo windowfocus "$window"
    pause
    key Tab Up Up Up
    expect_eq "the chain" "$(written)" erosion=radius=4
    quit
    expect_eq "warnings with $where" "$(grep -c 'warning: what is tuned cannot be kept' err)" 1
    expect_eq "errors" "$(grep -c error err)" 0
done

begin "two players of one input: the last that writes wins, its file is whole"
anew
play $clip -f erosion
one=$player its_caller=$caller first=$window player=0
pause
change Tab Up
expect_kept erosion=radius=2
play_paused $clip -f erosion
change Tab Up Up
expect_kept erosion=radius=3
expect_eq "the first player's" "$(chain_of "$(kept 1)")" erosion=radius=2
xdo windowfocus "$first"
after "Up Up Up Up" expect_kept erosion=radius=6
xdo windowfocus "$window"
quit
player=$one caller=$its_caller
xdo windowfocus "$first"
quit
expect_kept erosion=radius=6

begin "--versus: both chains are kept at kill -9, and F7 takes that of the side that the keys tune"
anew
a=erosion=radius=3 b=median=radius=2
play_paused $clip -f erosion=radius=2 --versus median
key Tab Up X Up
expect_eq "the other one" "$(written)" $b
both_kept() { is_kept $a && grep -qx "# versus: $b" "$(kept)"; }
wait_for 20 both_kept || complain "kept: $(cat "$(kept)")"
kill -9 $player
closed
play_paused $clip -f erosion=radius=2 --versus median
expect_eq offers "$(offers)" 1
grep -q "F7 takes it, or -f @$(kept); X and F7 take that of --versus\$" err || complain "the offer: $(cat err)"
tuned F7 $a
tuned "X F7" $b
tuned "u X" $a
tuned u erosion=radius=2
tuned "U X U" $b
quit
expect_eq "the line" "$(grep '^-' err)" "-f '$a' --versus '$b'"
both_kept || complain "kept: $(cat "$(kept)")"
play_paused $clip -f $a --versus median
expect_eq offers "$(offers)" 0
grep -q "the chain of --versus .* is kept, of .*: X and F7 take it\$" err || complain "the offer: $(cat err)"
tuned "X F7" $b
play_paused $clip -f $a --versus $b
grep -q "is kept" err && complain "an offer: $(cat err)"
play_paused $clip -f erosion
grep -q "F7 takes it, or -f @$(kept); with --versus, X and F7 take the other one\$" err || complain "the offer: $(cat err)"
tuned F7 $a
key X
tuned F7 $a

begin "--versus: undone wholly in both chains, nothing is kept"
anew
play_paused $clip -f erosion --versus median
change Tab Up
expect_kept erosion=radius=2
key X Up
grep_versus() { grep -qx '# versus: median=radius=2' "$(kept)"; }
wait_for 20 grep_versus || complain "kept: $(cat "$(kept)")"
key u X u
quit
expect_none

begin "snapshots are kept, and there again; what they are kept in is a chain file"
anew
play_paused $clip -f erosion=radius=2
tuned "shift+F1 Tab Up shift+F2" erosion=radius=3
quit
grep -q '^# snapshot A: erosion=radius=2$' "$(kept)" && grep -q '^# snapshot B: erosion=radius=3$' "$(kept)" ||
    complain "kept: $(cat "$(kept)")"
play_paused $clip -f median
tuned F2 erosion=radius=3
tuned F1 erosion=radius=2 $clip
play_paused $clip -f "@$(kept)"
tuned F2 erosion=radius=3
tuned F5 erosion=radius=2
