#!/bin/sh
# The preview: kernels that files and scripts name run only where that is allowed.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

clip=clip.mkv
make_long $clip 8
echo 'float filter(IN) { return 255 - PIXEL(0, 0); }' >k.cl
printf '# mine\ncustom=file=k.cl\n' >k.chain
code=custom=file=k.cl

asked() { tr -d '\0' <err | grep -c "names code to run, 'k.cl': the window asks"; }
asks() { [ "$(asked)" = "$1" ]; }
expect_asked() { # number of questions
    wait_for 20 asks "$1" || complain "asked $(asked) times, not $1"
}
answer() { # a word, or what else is typed
    settle
    type_in "$1"
    press Return
}

begin "a chain file of -f: the window asks; y takes it, and then it is the user's own"
play $clip -f @k.chain
expect_asked 1
answer y
pause
expect_eq "the chain" "$(written)" $code
wait_for 20 grep -q 'render -f @runnel-0001.chain --allow-code. applies it' err || complain "the word is not in the line of w"
expect_as_rendered $clip
tuned u ""
tuned U $code
press Shift+F1
press Delete
tuned F1 $code

begin "what was allowed in this folder is kept, and taken again without a question; elsewhere it is asked"
play_paused $clip
tuned F7 $code
expect_asked 0
expect_as_rendered $clip
quit
mkdir other
cp k.cl other
cd other || exit 1
play_paused ../$clip
after F7 expect_asked 1
answer y
expect_eq "the chain" "$(written)" $code
quit
cd ..

begin "a chain file that is typed: any other answer, and Esc, leave the chain as it was"
for no in "answer n" "answer" "press Escape"; do
    play_paused $clip -f erosion
    after colon answer 'add @k.chain'
    expect_asked 1
    $no
    expect_eq "the chain after '$no'" "$(written)" erosion
done

begin "what is typed needs no word, nor does a kernel that is saved anew, nor a chain file of filters"
echo median=radius=2 >plain.chain
play_paused $clip -f $code
tuned Delete ""
after colon answer "add $code,invert"
expect_eq "the chain" "$(written)" $code,invert
echo 'float filter(IN) { return PIXEL(0, 0) * 0.5f; }' >k.cl
expect_asked 0
wait_for $patience grep -q "'k.cl' is new and runs" err || complain "the kernel is not reloaded"
expect_as_rendered $clip
after colon answer 'add @plain.chain'
expect_eq "the chain" "$(written)" $code,invert,median=radius=2

if make_drop; then
    begin "a chain file that is dropped: the window asks"
    play_paused $clip -f erosion
    drop "$PWD/k.chain"
    expect_asked 1
    answer
    expect_eq "the chain" "$(written)" erosion
    drop k.chain
    expect_asked 2
    answer yes
    expect_eq "the chain" "$(written)" $code
    expect_as_rendered $clip
fi

begin "--allow-code: nobody is asked"
play_paused $clip -f @k.chain --versus "@k.chain" --allow-code
expect_eq "the chain" "$(written)" $code
quit
expect_asked 0

begin "a script's chains and files name code with --allow-code alone; what the user allowed, it may tune"
cat >allowed.py <<'PY'
from ipc import *
import sys
player = Player()
allowed = len(sys.argv) > 1
ways = [("set", "chain", "custom=k.cl"), ("add", "custom=k.cl"), ("add", "@k.chain"),
        ("loadfile", "k.chain"), ("set", "custom.file", "other.cl")]
for way in ways:
    player("set", "chain", "custom=file=mine.cl" if allowed else "invert")
    if allowed:
        player(*way)
    elif way[1] != "custom.file":
        why = player.refused(*way)
        expect(way, "names code to run, 'k.cl'" in why and "--allow-code" in why, True)
        expect("chain after %s" % (way,), player("get", "chain"), "invert")
PY
cp k.cl mine.cl
cp k.cl other.cl
for word in '' --allow-code; do
    play $clip -f invert --ipc sock $word
    expect_python allowed.py $word
    quit
    expect_asked 0
done
play $clip -f custom=mine.cl --ipc sock
script <<'PY'
expect("refusal", "--allow-code" in player.refused("set", "custom.file", "other.cl"), True)
player("set", "custom.border", "zero")
player("add", "invert")
expect("chain", player("get", "chain"), "custom=file=mine.cl:border=zero,invert")
PY
